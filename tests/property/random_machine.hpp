// SPDX-License-Identifier: GPL-3.0-or-later
// A small machine whose tasks do random things, driven straight through the scheduler's core functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/rng.hpp"
#include "core/engine/sched_core.hpp"

namespace picknext::testing {

struct Mix {
    std::size_t cpus = 2;
    std::size_t most_tasks = 24; // alive at a time
    int groups = 3;              // nested: each under the root or an earlier one
    int nice_range = 20;         // nice -range..range-1
    bool changes = true;         // nice, policy, slice, shares, moves, yields
    bool limits = false;         // groups have quotas, which change too
};

template <DecisionSink S>
class RandomMachine {
  public:
    RandomMachine(const Settings& settings, const Mix& mix, std::uint64_t seed, S& sink);

    /// One random operation, then whatever reschedules it asked for. Returns what was done.
    std::string step();

    [[nodiscard]] State& state() { return m_st; }
    [[nodiscard]] Context<S>& context() { return m_cx; }
    /// Called before each schedule of a CPU whose running entities are charged up to now.
    std::function<void(CpuId)> before_schedule = [](CpuId) {};

  private:
    std::uint64_t below(std::uint64_t n) { return random_below(m_seed, 1, m_draws++, n); }
    CpuId any_cpu() { return CpuId{static_cast<std::size_t>(below(m_st.cpu_count()))}; }
    TaskId any_task(bool (*suits)(const State&, TaskId));
    int any_nice() {
        return static_cast<int>(below(static_cast<std::uint64_t>(2 * m_mix.nice_range))) - m_mix.nice_range;
    }
    std::int64_t any_slice() {
        return below(3) == 0 ? 100'000 + static_cast<std::int64_t>(below(20'000'000)) : 0;
    }
    Policy any_policy();
    void settle();
    void limit(GroupId group);
    /// Time goes on to `to` ns; timers of bandwidth control expire on the way.
    void pass(std::int64_t to);

    std::string fork();
    std::string wake();
    std::string leave(bool exiting);
    std::string tick();
    std::string change();
    std::string yield();

    State m_st;
    Mix m_mix;
    std::uint64_t m_seed, m_draws = 0;
    Recorder<S> m_recorder;
    Context<S> m_cx{m_st, m_recorder};
    std::size_t m_alive = 0;
};

} // namespace picknext::testing
