// SPDX-License-Identifier: GPL-3.0-or-later
// A machine with one running task per busy CPU, as the placement and balance vectors describe it.
#pragma once

#include "app/vectors/multi.hpp"
#include "core/balance/attach.hpp"
#include "core/state/state.hpp"

namespace picknext::vectors {

struct Fixture {
    Machine machine;
    Domains domains;
    State st;
    static constexpr TaskId wakee{0}; // runs nowhere unless a reader says so
    [[nodiscard]] static TaskId runs_on(CpuId c) { return TaskId{c.index() + 1}; }

    /// All CPUs idle, each with a task that could run there; HZ 250 and the kernel's own features.
    Fixture(const Json& topology, Kernel kernel);
    /// 0 idle; 1 `running` normal tasks; 2 one of idle policy; 3 one of each.
    void set_cpu(CpuId c, int state, std::uint32_t running = 1);
    void set_affinity(TaskId t, const CpuSet& set);
};

/// Subjects of the checks with this id, in the order made.
[[nodiscard]] std::vector<std::int32_t> subjects(std::span<const Check> checks, Chk a, Chk b);
[[nodiscard]] std::string spaced(const std::vector<std::int32_t>& numbers);

} // namespace picknext::vectors
