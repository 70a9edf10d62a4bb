// SPDX-License-Identifier: GPL-3.0-or-later
// The words of rt-app's files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace picknext::io::rtapp {

enum class Event : std::uint8_t {
    lock, unlock, wait, signal, broadcast, sync, sleep, runtime, run, timer, suspend, resume, memrun, mem, iorun, yield,
    barrier, fork, sem_post, sem_wait
};

struct EventWord {
    std::string_view prefix;
    Event event;
};
/// Any key that begins so is that event; the first that fits counts ("runtime" before "run", "memrun" before "mem").
inline constexpr std::array event_words{
    EventWord{"lock", Event::lock},       EventWord{"unlock", Event::unlock},     EventWord{"wait", Event::wait},
    EventWord{"signal", Event::signal},   EventWord{"broad", Event::broadcast},   EventWord{"sync", Event::sync},
    EventWord{"sleep", Event::sleep},     EventWord{"runtime", Event::runtime},   EventWord{"run", Event::run},
    EventWord{"timer", Event::timer},     EventWord{"suspend", Event::suspend},   EventWord{"resume", Event::resume},
    EventWord{"memrun", Event::memrun},   EventWord{"mem", Event::mem},           EventWord{"iorun", Event::iorun},
    EventWord{"yield", Event::yield},     EventWord{"barrier", Event::barrier},   EventWord{"fork", Event::fork},
    EventWord{"sem_post", Event::sem_post}, EventWord{"sem_wait", Event::sem_wait}};

[[nodiscard]] constexpr std::optional<Event> event_of(std::string_view key) {
    for (const EventWord& word : event_words)
        if (key.substr(0, word.prefix.size()) == word.prefix) return word.event;
    return std::nullopt;
}

inline constexpr std::array<std::string_view, 5> root_keys{"tasks", "global", "resources", "description", "comment"};
/// Attributes of a task and of a phase.
inline constexpr std::array<std::string_view, 16> attributes{
    "instance", "delay", "phases", "loop", "policy", "priority", "dl-runtime", "dl-period", "dl-deadline", "cpus",
    "nodes_membind", "util_min", "util_max", "taskgroup", "comment", "description"};
/// Nearest-word candidates for a key in a task.
inline constexpr std::array<std::string_view, 34> task_words{
    "instance", "delay", "phases", "loop", "policy", "priority", "dl-runtime", "dl-period", "dl-deadline", "cpus",
    "nodes_membind", "util_min", "util_max", "taskgroup", "lock", "unlock", "wait", "signal", "broad", "sync", "sleep",
    "runtime", "run", "timer", "suspend", "resume", "memrun", "mem", "iorun", "yield", "barrier", "fork", "sem_post", "sem_wait"};
inline constexpr std::array<std::string_view, 4> global_keys{"duration", "calibration", "default_policy", "pi_enabled"};
/// Keys of "global" about logging and the like: nothing a simulation follows.
inline constexpr std::array<std::string_view, 11> global_ignored{
    "lock_pages", "logdir", "log_basename", "log_size", "ftrace", "gnuplot", "io_device", "mem_buffer_size",
    "cumulative_slack", "frag", "logstats"};
inline constexpr std::array<std::string_view, 3> timer_keys{"ref", "period", "mode"};
inline constexpr std::array<std::string_view, 2> wait_keys{"ref", "mutex"};
inline constexpr std::array<std::string_view, 6> memrun_keys{"type", "size", "count", "stride", "pattern", "ref"};
inline constexpr std::array<std::string_view, 6> policies{"SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE", "SCHED_FIFO", "SCHED_RR", "SCHED_DEADLINE"};
/// Keys that only another dialect has.
inline constexpr std::array<std::string_view, 3> keys_of_2014{"exec", "lock_order", "resources"};

} // namespace picknext::io::rtapp
