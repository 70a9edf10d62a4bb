// SPDX-License-Identifier: GPL-3.0-or-later
// hackbench of rt-tests, and perf bench sched messaging, which is the same program: groups of senders that spray messages to
// groups of receivers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Hackbench {
    bool from_perf = false;    // perf bench sched messaging
    bool simple_format = false; // perf bench -f simple
    ResourceKind channel = ResourceKind::unix_socket; // or pipe (-p), tcp_socket (-i)
    bool threads = false;      // -T; else processes
    std::int64_t groups = 10;  // -g
    std::int64_t fds = 20;     // -f: senders, and receivers, of a group
    std::int64_t loops = 100;  // -l, as typed
    std::int64_t bytes = 100;  // -s
    std::int64_t run_loops = 100; // of these, simulated: time is proportional to them
    friend bool operator==(const Hackbench&, const Hackbench&) = default;
};

/// Options of hackbench (perf = false) or of perf bench sched messaging. Also the old form "hackbench [-pipe] GROUPS
/// [process|thread] [LOOPS]". scale: loops typed / loops simulated.
[[nodiscard]] Hackbench read_hackbench(Arguments& args, bool perf, std::int64_t scale);

/// Tasks in the order they are created: main, then receivers and senders group by group. All report ready to main, which then
/// lets all go at once and waits for all to end.
/// Assumed: going is a barrier (wakeups not sync; poll() of one pipe in the original), main is woken by each that ends while it
/// waits.
[[nodiscard]] Workload workload_of(const Hackbench& tool);
/// "time": from go until main saw the last one end, s; as if all loops had run.
[[nodiscard]] std::vector<Figure> figures(const Hackbench& tool, const State& state);
/// What the tool prints.
[[nodiscard]] std::string report(const Hackbench& tool, const State& state);

/// Messages all receivers of a run get together.
[[nodiscard]] std::int64_t messages(const Hackbench& tool);

/// Bytes of messages of this size that the buffer of a UNIX socket holds. A message is accounted for with its sk_buff, its data and
/// the data's trailer rounded up to a power of two: 768 for 100 bytes (fn: __alloc_skb; sizes of x86-64, assumed), and sending goes
/// on while less than net.core.wmem_default, 212,992, is accounted for (fn: sock_alloc_send_pskb).
[[nodiscard]] std::int64_t unix_capacity(std::int64_t bytes);

} // namespace picknext::commands
