// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/attach.hpp"

#include <algorithm>

namespace picknext::balance {

void update_group_capacity(State& st, const Domains&, const SchedGroup& group) {
    GroupCapacity& row = st.group_capacities[group.capacity.index()];
    row.capacity = 0;
    row.min_capacity = INT64_MAX;
    row.max_capacity = 0;
    for_each_cpu(group.span, [&](CpuId c) {
        const std::int64_t capacity = std::max<std::int64_t>(1, st.rq(c).cpu_capacity);
        row.capacity += capacity;
        row.min_capacity = std::min(row.min_capacity, capacity);
        row.max_capacity = std::max(row.max_capacity, capacity);
    });
}

void replace_domains(State& st, const Domains& domains) {
    st.domains.assign(domains.domains.size(), {});
    for (std::size_t i = 0; i < domains.domains.size(); ++i) {
        st.domains[i].balance_interval = static_cast<std::uint32_t>(domains.domains[i].min_interval);
        st.domains[i].last_balance = st.jiffies();
        st.domains[i].last_decay = st.jiffies();
    }
    st.group_capacities.assign(domains.group_capacity_count, {});
    for (const SchedGroup& g : domains.groups) update_group_capacity(st, domains, g);
    st.llc_shared.assign(domains.llcs.size(), {});
    for (std::size_t i = 0; i < domains.llcs.size(); ++i)
        st.llc_shared[i].nr_busy_cpus = static_cast<std::uint32_t>(domains.llcs[i].size());
    st.nohz.overloaded = 0;
    st.llc_idle_cpus.assign(cpu_set_words(st.cpu_count()), 0);
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        st.rqs[c].llc_nohz_idle = 0;
        // The first posting started with an empty mask, all others with the whole span.
        if (st.settings.idle_mask() != IdleMask::v1 && domains.cpus[c].sd_llc) set_bit(st.llc_idle_cpus, CpuId{c});
    }
}

void attach_domains(State& st, const Domains& domains) {
    replace_domains(st, domains);
    st.nohz = {};
    st.nohz_idle_cpus.assign(cpu_set_words(st.cpu_count()), 0);
    for (Rq& rq : st.rqs) {
        rq.next_balance = st.jiffies();
        rq.nohz_tick_stopped = 0;
        rq.nohz_flags = 0;
        rq.active_balance = 0;
        rq.idle_mask_state = st.settings.idle_mask() == IdleMask::v3 ? 0 : 1;
    }
}

} // namespace picknext::balance
