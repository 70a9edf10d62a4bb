// SPDX-License-Identifier: GPL-3.0-or-later
// What a read or write of a pipe or socket does, and whom it wakes: the rules decide how often tasks of a benchmark sleep.
#pragma once

#include <cstdint>

#include "core/workload/workload.hpp"

namespace picknext::engine {

/// What one read or write would do.
struct Transfer {
    bool done = false;         // else the task waits and tries again
    bool dropped = false;      // UDP: there was no room
    bool wakes_reader = false; // the first that waits, or all of them (wakes_all)
    bool wakes_writer = false;
    Resource after;            // of the channel: bytes and buffers
};

/// Capacity of the channel in bytes.
[[nodiscard]] std::int64_t capacity(const ResourceSpec& spec);

/// All who wait for a UNIX or TCP socket are woken together, writers newest first (fn: sock_wait_for_wmem, sk_stream_wait_memory,
/// unix_stream_data_wait, sk_wait_data: not exclusive); pipes and UDP wake the first come alone.
[[nodiscard]] constexpr bool wakes_all(const ResourceSpec& spec) {
    return spec.kind == ResourceKind::unix_socket || spec.kind == ResourceKind::tcp_socket;
}

/// Writes `bytes` > 0 at once or not at all. wanted: bytes the reader that waits first asks for, 0 if none waits.
/// retried: the task has waited for room in this very operation.
/// Pipe (fn: pipe_write, 5.10 to 6.12): buffers of 4096 bytes. What is left of a write after whole buffers joins the last one if it
/// fits there entirely; the rest takes new ones; with too few left it waits. It wakes a reader only if the pipe was empty, which for a
/// reader that asks for more than there was is the same. A writer that waited and leaves room wakes the next one. Pipes whose capacity
/// is no multiple of 4096 count bytes instead. Simplified: the kernel fills what room there is and waits for the rest.
/// Sockets: wake whoever waits for that much; UDP never waits.
[[nodiscard]] Transfer decide_write(const ResourceSpec& spec, const Resource& channel, std::int64_t bytes, std::int64_t wanted, bool retried);

/// Reads `bytes` > 0 at once or not at all. wanted: bytes the writer that waits first has to write, 0 if none waits.
/// Pipe (fn: pipe_read): wakes a writer only if all buffers were in use, or too few for that writer, even if none becomes free; a reader
/// that has waited and leaves bytes wakes the next reader. UNIX sockets wake writers once at most a quarter of the room is used (fn:
/// unix_writable), TCP once a third is free (fn: sk_stream_is_writeable).
/// Assumed: all writes to a pipe are as long as the reads from it. With others a buffer becomes free a little early or late, never
/// more of them than the bytes that are left allow.
[[nodiscard]] Transfer decide_read(const ResourceSpec& spec, const Resource& channel, std::int64_t bytes, std::int64_t wanted, bool retried);

} // namespace picknext::engine
