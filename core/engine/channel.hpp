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
    bool wakes_reader = false; // the first that waits; exclusive
    bool wakes_writer = false;
    Resource after;            // of the channel: bytes and buffers
};

/// Capacity of the channel in bytes.
[[nodiscard]] std::int64_t capacity(const ResourceSpec& spec);

/// Writes `bytes` > 0 at once or not at all. wanted: bytes the reader that waits first asks for, 0 if none waits.
/// retried: the task has waited for room in this very operation.
/// Pipe (fn: pipe_write, 5.10 to 6.12): buffers of 4096 bytes; a write joins the last one if it fits entirely, else takes the
/// next; with all in use it waits. It wakes a reader only if the pipe was empty, which for a reader that asks for more than
/// there was is the same. Pipes whose capacity is no multiple of 4096 count bytes instead.
/// Sockets: wake whoever waits for that much; UDP never waits.
[[nodiscard]] Transfer decide_write(const ResourceSpec& spec, const Resource& channel, std::int64_t bytes, std::int64_t wanted, bool retried);

/// Reads `bytes` > 0 at once or not at all.
/// Pipe (fn: pipe_read): wakes a writer only if all buffers were in use, even if none becomes free; a reader that has waited
/// and leaves bytes wakes the next reader. UNIX sockets wake a writer once at most a quarter of the room is used (fn:
/// unix_writable), TCP once a third is free (fn: sk_stream_is_writeable).
[[nodiscard]] Transfer decide_read(const ResourceSpec& spec, const Resource& channel, std::int64_t bytes, bool retried);

} // namespace picknext::engine
