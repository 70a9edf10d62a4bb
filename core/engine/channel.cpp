// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/channel.hpp"

#include <algorithm>

namespace picknext::engine {
namespace {

bool by_slots(const ResourceSpec& spec) { return spec.kind == ResourceKind::pipe && capacity(spec) % pipe_slot == 0; }

/// How a write is laid out: bytes that join the last buffer, and buffers it takes beside.
struct Layout {
    std::int64_t joins = 0;
    std::int64_t buffers = 0;
};
Layout layout(const Resource& pipe, std::int64_t bytes) {
    const std::int64_t odd = bytes % pipe_slot;
    const bool joins = pipe.buffers != 0 && odd != 0 && std::int64_t{pipe.tail} + odd <= pipe_slot;
    return {joins ? odd : 0, bytes / pipe_slot + (odd != 0 && !joins ? 1 : 0)};
}
bool fits(const ResourceSpec& spec, const Resource& pipe, std::int64_t bytes) {
    return pipe.buffers + layout(pipe, bytes).buffers <= capacity(spec) / pipe_slot;
}
/// Bytes in the last buffer after the write.
std::int64_t tail_after(const Resource& pipe, std::int64_t bytes) {
    const Layout l = layout(pipe, bytes);
    if (l.buffers == 0) return pipe.tail + l.joins;
    const std::int64_t last = (bytes - l.joins) % pipe_slot;
    return last == 0 ? pipe_slot : last;
}

bool all_slots_used(const ResourceSpec& spec, const Resource& pipe) { return pipe.buffers >= capacity(spec) / pipe_slot; }

/// Bytes of the first buffer. All writes to a pipe are taken to be as long as this read: then it holds as many as fit.
std::int64_t first_slot(const Resource& pipe, std::int64_t bytes) {
    if (pipe.buffers <= 1) return pipe.tail;
    return bytes >= pipe_slot ? pipe_slot : pipe_slot / bytes * bytes;
}

void take_slots(Resource& pipe, std::int64_t bytes) {
    if (pipe.value == 0) {
        pipe.buffers = pipe.tail = pipe.head = 0;
        return;
    }
    std::int64_t head = std::int64_t{pipe.head} + bytes;
    for (std::int64_t first = first_slot(pipe, bytes); pipe.buffers > 1 && head >= first; first = first_slot(pipe, bytes)) {
        head -= first;
        --pipe.buffers;
    }
    pipe.head = static_cast<std::uint32_t>(head);
    pipe.buffers = std::max(pipe.buffers, static_cast<std::uint32_t>((pipe.value + pipe_slot - 1) / pipe_slot));
}

} // namespace

std::int64_t capacity(const ResourceSpec& spec) {
    if (spec.initial > 0) return spec.initial;
    switch (spec.kind) {
    case ResourceKind::unix_socket: return default_unix_capacity;
    case ResourceKind::tcp_socket: return default_tcp_capacity;
    case ResourceKind::udp_socket: return default_udp_capacity;
    default: return default_pipe_capacity;
    }
}

Transfer decide_write(const ResourceSpec& spec, const Resource& channel, std::int64_t bytes, std::int64_t wanted, bool retried) {
    Transfer out{.after = channel};
    Resource& after = out.after;
    if (by_slots(spec)) {
        if (!fits(spec, channel, bytes)) return out;
        after.buffers += static_cast<std::uint32_t>(layout(channel, bytes).buffers);
        after.tail = static_cast<std::uint32_t>(tail_after(channel, bytes));
    } else if (channel.value + bytes > capacity(spec)) {
        out.done = out.dropped = spec.kind == ResourceKind::udp_socket;
        return out;
    }
    out.done = true;
    after.value += bytes;
    const bool enough = wanted > 0 && after.value >= wanted;
    out.wakes_reader = enough && (is_socket(spec.kind) || channel.value < wanted);
    if (spec.kind == ResourceKind::pipe)
        out.wakes_writer = retried && (by_slots(spec) ? !all_slots_used(spec, after) : after.value < capacity(spec));
    return out;
}

Transfer decide_read(const ResourceSpec& spec, const Resource& channel, std::int64_t bytes, std::int64_t wanted, bool retried) {
    Transfer out{.after = channel};
    if (channel.value < bytes) return out;
    Resource& after = out.after;
    out.done = true;
    after.value -= bytes;
    const std::int64_t room = capacity(spec);
    switch (spec.kind) {
    case ResourceKind::unix_socket: out.wakes_writer = after.value * 4 <= room; break;
    case ResourceKind::tcp_socket: out.wakes_writer = (room - after.value) * 3 >= room; break;
    case ResourceKind::udp_socket: break;
    default:
        out.wakes_writer = !by_slots(spec) || all_slots_used(spec, channel) || !fits(spec, channel, wanted);
        out.wakes_reader = retried && after.value > 0;
        if (by_slots(spec)) take_slots(after, bytes);
    }
    return out;
}

} // namespace picknext::engine
