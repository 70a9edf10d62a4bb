// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/cause.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace picknext::watch {
namespace {

struct BecauseInfo {
    Because id;
    std::string_view name;  // "": the reason's own
    std::string_view words; // a sentence, or what comes before the reason's
};
constexpr std::array table{
    BecauseInfo{Because::none_due, "none_due", "No balance pass of the idle CPU was due."},
    BecauseInfo{Because::placed, "", "A wakeup put a task there: "},
    BecauseInfo{Because::mask_bit, "mask.bit_missing", "The idle CPU's bit was missing in the idle mask when a wakeup looked (thread 3)."},
    BecauseInfo{Because::newidle, "", "Going idle it did not look for work: "},
    BecauseInfo{Because::no_pass, "newidle.no_pass", "Going idle it looked for work, but not in the domain of that queue: NI_RANDOM left it out, or the search ended below."},
    BecauseInfo{Because::pass, "", "A balance pass left it: "},
    BecauseInfo{Because::util_short, "detach.large_util", "The utilisation to be moved was less than the task's (thread 2)."},
};
static_assert(table.size() == static_cast<std::size_t>(Because::count));
static_assert([] {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].id != static_cast<Because>(i)) return false;
    return true;
}());
const BecauseInfo& info_of(const Cause& cause) { return table[static_cast<std::size_t>(cause.because)]; }

} // namespace

std::string_view name_of(const Cause& cause) { return info_of(cause).name.empty() ? info(cause.reason).name : info_of(cause).name; }

std::string sentence(const Cause& cause) {
    const BecauseInfo& because = info_of(cause);
    return because.name.empty() ? fmt::format("{}{}", because.words, info(cause.reason).sentence) : std::string(because.words);
}

int shared_level(const Domains& domains, CpuId cpu, CpuId other) {
    for (DomainId d = domains.cpu(cpu).base; d; d = domains.domain(d).parent)
        if (domains.domain(d).span.has(other)) return domains.domain(d).depth;
    return -1;
}

Causes::Causes(const Domains& domains) : m_domains(domains), m_cpus(domains.cpus.size()) {
    for (const Domain& d : domains.domains) {
        auto& passes = m_cpus[d.owner.index()].passes;
        passes.resize(std::max(passes.size(), static_cast<std::size_t>(d.depth) + 1));
    }
}

/// Does this step of a pass end it without a task? own.last_step: the step before it.
bool Causes::step_of_pass(OfCpu& own, const DecisionHeader& header) {
    const Kind before = own.last_step;
    own.last_step = header.kind;
    switch (header.kind) {
    case Kind::balance:
    case Kind::detach: return header.outcome == 0;
    case Kind::imbalance:
        own.by_util = header.reason == Reason::imbalance_util;
        return header.outcome == 0;
    case Kind::busiest:
    case Kind::queue: return header.outcome < 0;
    case Kind::active: return header.outcome == 0 && before == Kind::queue; // else a task that was looked at says more
    default: return false;
    }
}

bool Causes::note(const DecisionHeader& header) {
    switch (header.kind) {
    case Kind::place:
        if (header.outcome >= 0) m_cpus[static_cast<std::size_t>(header.outcome)].placed_here = {header.event, {Because::placed, header.reason}};
        return false;
    case Kind::newidle:
        m_cpus[header.cpu].newidle = {header.event, {header.outcome == 0 ? Because::newidle : Because::no_pass, header.reason}};
        return true;
    case Kind::balance: case Kind::busiest: case Kind::imbalance: case Kind::queue: case Kind::detach: case Kind::active: break;
    default: return false;
    }
    OfCpu& own = m_cpus[header.cpu];
    if (!step_of_pass(own, header) || header.level >= own.passes.size()) return false;
    const bool util = header.reason == Reason::detach_large && own.by_util;
    const Dated ended{header.event, {util ? Because::util_short : Because::pass, header.reason}};
    // A CPU that may not balance a domain does not go on to the wider ones.
    const auto from = own.passes.begin() + header.level;
    std::fill(from, header.kind == Kind::balance ? own.passes.end() : from + 1, ended);
    return true;
}

Cause Causes::newest(const State& st, CpuId idle, int level, CpuId queue, std::uint64_t since) const {
    const OfCpu& own = m_cpus[idle.index()];
    Dated newest;
    const auto consider = [&](const Dated& dated) {
        if (dated.event >= std::max<std::uint64_t>(since, 1) && dated.event >= newest.event) newest = dated;
    };
    // Within an event the later one wins: a placement comes before somebody goes idle for it, the verdict before the search.
    consider(m_cpus[queue.index()].placed_here);
    consider(own.newidle);
    if (level >= 0 && static_cast<std::size_t>(level) < own.passes.size()) consider(own.passes[static_cast<std::size_t>(level)]);
    Cause cause = newest.cause;
    if (cause.because == Because::no_pass) cause.reason = Reason::none;
    const bool masked = st.settings.idle_mask() != IdleMask::off && m_domains.share_cache(idle, queue);
    if (cause.because == Because::placed && masked && !contains(st.llc_idle_cpus, idle)) return {Because::mask_bit, Reason::none};
    return cause;
}

} // namespace picknext::watch
