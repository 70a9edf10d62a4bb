// SPDX-License-Identifier: GPL-3.0-or-later
// What tasks do: phases of operations over shared resources. A description only; core/engine interprets it.
// Formats: workload/1 (core/io) and the imports map onto this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cpu_set.hpp"
#include "core/base/duration.hpp"
#include "core/base/extra_key.hpp"
#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/state/state.hpp"

namespace picknext {

inline constexpr std::size_t max_tasks = 100'000;         // after expansion of counts
inline constexpr std::size_t max_ops_per_phase = 10'000;
inline constexpr std::size_t max_groups = 10'000;
inline constexpr std::int64_t forever = -1;               // a loop without end
inline constexpr std::size_t max_task_name = 255;         // bytes
inline constexpr std::int64_t pipe_slot = 4096;              // bytes of one buffer of a pipe
inline constexpr std::int64_t default_pipe_capacity = 65536; // bytes, as Linux: 16 buffers
/// Assumed: 278 messages of 100 bytes, each accounted for with 768; sending goes on while less than net.core.wmem_default, 212,992,
/// is (fn: sock_alloc_send_pskb).
inline constexpr std::int64_t default_unix_capacity = 27'800;
inline constexpr std::int64_t default_tcp_capacity = 262'144; // bytes, assumed
inline constexpr std::int64_t default_udp_capacity = 212'992; // bytes: net.core.rmem_default
inline constexpr std::int64_t least_period = 1'000'000;       // ns, of a group's quota; the quota itself too
inline constexpr std::int64_t longest_period = 1'000'000'000; // ns
inline constexpr std::int64_t longest_quota = 1'000'000'000'000'000'000; // ns

/// A length of time, fixed or drawn. Draws are integers from tables: no libm, the same on every compiler.
struct Dist {
    enum class Kind : std::uint8_t { fixed, uniform, exponential, normal, list };
    Kind kind = Kind::fixed;
    std::int64_t a = 0;                  // ns: fixed value; uniform low; exponential and normal mean
    std::int64_t b = 0;                  // ns: uniform high (inclusive); normal standard deviation
    std::vector<std::int64_t> values;    // list, ns
    bool repeat = true;                  // list: begin again at its end, else its last value stays
    friend bool operator==(const Dist&, const Dist&) = default;
};

/// Draw number `counter` (0-based) of stream `stream`: 0..longest_duration ns. Normal is cut at 0 and is a sum of twelve
/// uniforms (nothing beyond six standard deviations). For a list the counter is the position in it: how often this
/// very operation was reached before.
[[nodiscard]] std::int64_t draw(const Dist& dist, std::uint64_t seed, std::uint64_t stream, std::uint64_t counter);

enum class ResourceKind : std::uint8_t {
    mutex, cond, sem, barrier, pipe, timer, suspend,
    unix_socket, tcp_socket, udp_socket, // one direction of a connection
    mailbox     // a list of tasks that posted and wait to be served (schbench of 2020)
};
[[nodiscard]] constexpr bool is_socket(ResourceKind kind) {
    return kind == ResourceKind::unix_socket || kind == ResourceKind::tcp_socket || kind == ResourceKind::udp_socket;
}

struct ResourceSpec {
    std::string name;
    ResourceKind kind = ResourceKind::mutex;
    std::int64_t initial = 0;   // sem: count; pipe, socket: capacity in bytes, 0 = the default of its kind; barrier: parties
    bool shared = true;         // timer: one for all tasks that name it; else one each (name is then per task)
    friend bool operator==(const ResourceSpec&, const ResourceSpec&) = default;
};

/// Attributes a phase or a `set` op changes; absent ones stay.
struct Attributes {
    std::optional<int> nice;                 // -20..19
    std::optional<Policy> policy;
    std::optional<std::int64_t> slice;       // ns, 0 = back to the base slice
    std::optional<CpuSet> affinity;          // empty set = all CPUs
    std::optional<std::string> group;        // path
    std::optional<int> util_min, util_max;   // 0..1024: kept, not acted on
    friend bool operator==(const Attributes&, const Attributes&) = default;
};

enum class OpKind : std::uint8_t {
    run,        // work at capacity 1024: stretches on small CPUs (amount)
    spin,       // busy until that much wall time passed, preempted time counts (amount)
    sleep,      // (amount)
    timer,      // wait for the next expiry of a periodic timer (resource, period, absolute)
    lock, unlock, wait, signal, broadcast, barrier, sem_post, sem_wait, // wait: cond = resource, mutex = second
    suspend,    // until somebody resumes this task's suspend point (resource)
    resume,     // wake all tasks suspended there (resource)
    wake,       // wake one named task if it sleeps (target = spec index)
    fork,       // start one instance of a spec with count 0 (target)
    yield,
    read, write, // pipe or socket (resource), bytes
    set,        // (attributes)
    mark,       // text only
    exit,
    post,        // joins the mailbox (resource) in front, wakes who collects there, and waits to be served; then the time since it
                 // was served is a sample of series `target`
    serve,       // takes the whole mailbox (resource), stamps all at once and wakes one after the other
    collect,     // waits until somebody posts to the mailbox (resource), unless somebody has
    stamp,       // the task's stamp becomes now
    sample,      // the time since the stamp is a sample of series `target`
};

struct Op {
    OpKind kind = OpKind::run;
    Dist amount;                    // run, spin, sleep
    std::int64_t period = 0;        // timer, ns > 0
    bool absolute = false;          // timer: missed expiries are made up for; else it re-bases to now
    std::int32_t resource = -1;     // index into Workload::resources
    std::int32_t second = -1;       // wait: the mutex
    std::int32_t target = -1;       // fork, wake: index into Workload::tasks; post, sample: into Workload::series
    std::int64_t bytes = 0;         // read, write
    Attributes attributes;          // set
    std::string text;               // mark
    friend bool operator==(const Op&, const Op&) = default;
};

struct Phase {
    std::string name;
    std::int64_t loop = 1;          // rounds, or forever (last phase only)
    Attributes set;                 // applied when the phase begins
    std::vector<Op> ops;
    friend bool operator==(const Phase&, const Phase&) = default;
};

struct TaskSpec {
    std::string name;
    int count = 1;                  // instances; 0 = only by fork
    Policy policy = Policy::normal;
    int nice = 0;                   // -20..19
    std::int64_t slice = 0;         // ns, 0 = base slice
    std::string group;              // path, "" = root
    CpuSet affinity;                // empty = all CPUs
    int util_min = 0, util_max = 1024;
    Nanos start;                    // first becomes runnable then
    std::optional<CpuId> start_cpu; // where it is forked (its parent's CPU); default: first allowed
    bool process = false;           // each instance has an address space of its own; else they are threads of one program
    std::int64_t loop = forever;    // rounds over all phases
    std::vector<Phase> phases;
    friend bool operator==(const TaskSpec&, const TaskSpec&) = default;
};

struct GroupSpec {
    std::string path;               // "/a/b"
    std::int64_t shares = 1024;     // 2..262144, coarse
    bool idle = false;
    std::int64_t quota = 0;         // ns, 0 = none
    std::int64_t period = 100'000'000; // ns
    std::int64_t burst = 0;         // ns, 0..quota: unused quota carried over (5.14)
    friend bool operator==(const GroupSpec&, const GroupSpec&) = default;
};

/// Part of a workload that is described as a whole, as a benchmark's command line, and not task by task.
struct Generator {
    std::string command;            // "hackbench -p -g 4"
    std::string json;               // how its file says it, when not by the command
    friend bool operator==(const Generator&, const Generator&) = default;
};
/// What generators added stands last in each list of the workload, so many of it. Files hold the generators instead: who changes what
/// they added empties this, and all is written out.
struct Generated {
    std::vector<Generator> generators;
    std::size_t groups = 0, resources = 0, tasks = 0, series = 0;
    friend bool operator==(const Generated&, const Generated&) = default;
};

struct Workload {
    std::string name;
    std::string description;
    std::vector<GroupSpec> groups;
    std::vector<ResourceSpec> resources;
    std::vector<TaskSpec> tasks;
    std::vector<std::string> series; // names of what its tasks measure
    Generated generated;
    std::vector<ExtraKey> extras;   // the user's own keys of its file
    friend bool operator==(const Workload&, const Workload&) = default;
};

/// Adds what another workload describes behind what is there. Names that are taken get a number, "main (2)"; groups of one path are one.
void append(Workload& to, Workload part);

/// Name of one instance: "worker" when the count is 1, else "worker#0".
[[nodiscard]] std::string task_name(const Workload& workload, const Task& task);

} // namespace picknext
