// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/schedstat_text.hpp"

#include <array>

#include <fmt/format.h>

#include "core/base/assert.hpp"

namespace picknext::io {
namespace {

void add_balance(std::string& out, const BalanceSchedstat& s) {
    out += fmt::format(" {} {} {} {} {} {} {} {}", s.lb_count, s.lb_balanced, s.lb_failed, s.lb_imbalance, s.lb_gained, s.lb_hot_gained,
                       s.lb_nobusyq, s.lb_nobusyg);
}

std::string domain_line(const Domain& domain, const DomainSchedstat& s, std::size_t cpus, int version) {
    constexpr std::array<std::size_t, 3> idle_first{0, 1, 2}, busy_first{1, 0, 2}; // rows of by_idle
    std::string out = fmt::format("domain{} {}", domain.depth, mask_text(domain.span, cpus));
    for (const std::size_t kind : version >= 16 ? busy_first : idle_first) add_balance(out, s.by_idle[kind]);
    out += fmt::format(" {} {} {}", s.alb_count, s.alb_failed, s.alb_pushed);
    out += " 0 0 0 0 0 0"; // sbe and sbf: balancing at exec and fork, no longer counted
    out += fmt::format(" {} {} 0\n", s.ttwu_wake_remote, s.ttwu_move_affine);
    return out;
}

} // namespace

int schedstat_version(Kernel kernel) { return kernel >= Kernel::eevdf_6_12 ? 16 : 15; }

std::string mask_text(CpuSetView mask, std::size_t cpus) {
    std::string out;
    for (std::size_t group = (cpus + 31) / 32; group-- > 0;) {
        const std::size_t bits = group == (cpus - 1) / 32 && cpus % 32 != 0 ? cpus % 32 : 32;
        const std::uint64_t word = mask[group / 2] >> (group % 2 * 32) & 0xffffffffU;
        out += fmt::format("{:0{}x}{}", word, (bits + 3) / 4, group == 0 ? "" : ",");
    }
    return out;
}

std::string schedstat_text(const State& st, const Domains& domains, int version) {
    PICKNEXT_ASSERT(version == 15 || version == 16, "schedstat version {}", version);
    std::string out = fmt::format("version {}\ntimestamp {}\n", version, st.jiffies());
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const Rq& rq = st.rqs[c];
        if (rq.online == 0) continue;
        const CpuSchedstat& s = rq.stat;
        out += fmt::format("cpu{} {} 0 {} {} {} {} {} {} {}\n", c, s.yld_count, s.sched_count, s.sched_goidle, s.ttwu_count, s.ttwu_local, rq.busy_ns,
                           s.run_delay, s.pcount);
        for (DomainId d = domains.cpus[c].base; d; d = domains.domain(d).parent)
            out += domain_line(domains.domain(d), st.domains[d.index()].stat, st.cpu_count(), version);
    }
    return out;
}

} // namespace picknext::io
