// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/misfit.hpp"

#include <algorithm>

#include "core/balance/loads.hpp"

namespace picknext::balance {
namespace {

/// Has the task nowhere to go that would fit it better?
bool bound(const State& st, CpuId cpu, TaskId task) {
    const CpuSetView affinity = st.mask(st.task(task).affinity);
    if (st.settings.kernel < Kernel::eevdf_6_12) return count(affinity) == 1;
    std::int64_t largest = 0;
    for_each_cpu(affinity, [&](CpuId c) { largest = std::max(largest, st.rq(c).capacity); });
    return st.rq(cpu).capacity >= largest;
}

} // namespace

std::uint64_t misfit_load(const State& st, const Domains& domains, CpuId cpu, TaskId task) {
    if (!domains.cpu(cpu).sd_asym_cpucapacity || !task || bound(st, cpu, task)) return 0;
    if (fits_capacity(task_util_est(st, st.settings, task), st.rq(cpu).cpu_capacity)) return 0;
    return std::max<std::uint64_t>(task_h_load(st, task), 1);
}

} // namespace picknext::balance
