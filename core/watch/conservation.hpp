// SPDX-License-Identifier: GPL-3.0-or-later
// Is the machine work conserving? Pairs an idle CPU with a task that waits on another CPU's queue and may run there, for
// as long as both last. A CPU and a task are in one pair at a time, so the sum of all pairs is CPU time that was lost;
// and whenever such a CPU and such a task exist, some pair does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/watch/cause.hpp"

namespace picknext::watch {

struct Interval {
    CpuId idle;
    TaskId task;
    CpuId queue;               // whose queue the task waits on
    std::int64_t begin = 0, end = 0; // ns, end > begin
    Cause cause;               // the one that held longest, the earlier of equals
};

/// Time under one cause; an interval whose cause changes counts for each as long as it held.
struct CauseTotal {
    std::int64_t ns = 0;
    std::int64_t longest = 0;  // ns, at a stretch
    std::uint64_t stretches = 0;
};

class Conservation {
  public:
    /// on_interval: called when an interval ends, in the order of ends. The domains must outlive this.
    Conservation(const Domains& domains, std::function<void(const Interval&)> on_interval);

    /// Each decision as it is announced.
    void note(const DecisionHeader& header);
    /// Something changed without a decision: the next look is at all CPUs.
    void doubt();
    /// After each event. Looks only at CPUs about which something was decided.
    void after_event(const State& st);
    /// Ends what is open at st.now.
    void finish(const State& st);

    [[nodiscard]] const std::map<Cause, CauseTotal>& by_cause() const { return m_totals; }
    [[nodiscard]] std::int64_t lost_ns() const { return m_lost; }
    [[nodiscard]] std::uint64_t intervals() const { return m_count; }
    /// Pairs open now.
    [[nodiscard]] int open() const { return m_paired.size(); }

  private:
    struct Pair {
        Interval interval;
        int level = -1;                // shared_level
        Cause now;                     // the cause that holds, since:
        std::int64_t since = 0;
        std::int64_t longest_held = -1; // of interval.cause
    };
    void look_at(const State& st, CpuId cpu);
    void open_pair(const State& st, CpuId idle, TaskId task, CpuId queue);
    void close_pair(CpuId idle, std::int64_t at);
    void end_stretch(Pair& pair, std::int64_t at);
    void drop_ended(const State& st);
    void pair_queue(const State& st, CpuId queue);
    void pair_cpu(const State& st, CpuId idle);
    [[nodiscard]] bool may_be_paired(const State& st, TaskId task) const;
    [[nodiscard]] CpuId free_cpu_for(const State& st, TaskId task, CpuId queue) const;

    const Domains& m_domains;
    std::function<void(const Interval&)> m_on_interval;
    Causes m_causes;
    CpuSet m_touched, m_searched;      // by the decisions of this event: queue or current task, reason to stay idle
    CpuSet m_free;                     // idle and in no pair
    CpuSet m_paired;                   // idle and in a pair
    CpuSet m_crowded;                  // a task waits here that may run elsewhere:
    std::vector<CpuSet> m_elsewhere;   // by CPU: where those that wait here may run
    CpuSet m_try;                      // queues and CPUs to find a partner for
    std::vector<std::uint64_t> m_idle_since; // by CPU: event
    std::vector<Pair> m_pairs;         // by idle CPU
    std::vector<CpuId> m_partner;      // by task: the idle CPU it is paired with
    std::map<Cause, CauseTotal> m_totals;
    std::int64_t m_lost = 0;
    std::uint64_t m_count = 0;
};

} // namespace picknext::watch
