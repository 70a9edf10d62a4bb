// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/lines.hpp"

#include <algorithm>
#include <array>

#include "core/base/assert.hpp"
#include "core/base/rng.hpp"

namespace picknext::cost {
namespace {

using Per = LineKindInfo::Per;

constexpr std::array kinds{
    LineKindInfo{LineKind::llc_shared, "llc_shared", "Shared state of an LLC (sd_llc_shared)", Per::llc},
    LineKindInfo{LineKind::idle_mask, "idle_mask", "Mask of idle CPUs of an LLC (thread 3)", Per::llc},
    LineKindInfo{LineKind::rq, "rq", "Run queue of a CPU", Per::cpu},
    LineKindInfo{LineKind::domain_pointers, "domain_pointers", "Domain pointers of a CPU", Per::cpu},
    LineKindInfo{LineKind::nohz, "nohz", "NOHZ mask and counters", Per::machine},
    LineKindInfo{LineKind::stats_mask, "stats_mask", "Mask of CPUs with blocked load (thread 5)", Per::machine},
};
static_assert(kinds.size() == static_cast<std::size_t>(LineKind::count));

std::size_t lines_of(const LineLayout& l, LineKind kind) {
    switch (kinds[static_cast<std::size_t>(kind)].per) {
    case Per::llc: return l.llcs;
    case Per::cpu: return l.cpus;
    case Per::machine: return 1;
    }
    return 0;
}

/// A holder but `cpu` itself among the CPUs of `span` (outside of it), or none.
CpuId holder_inside(CpuSetView holders, CpuSetView span, CpuId cpu) {
    for (std::size_t w = 0; w < holders.size(); ++w) {
        std::uint64_t bits = holders[w] & (w < span.size() ? span[w] : 0);
        if (w == cpu.index() / 64) bits &= ~(1ULL << (cpu.index() % 64));
        if (bits != 0) return CpuId{w * 64 + static_cast<std::size_t>(std::countr_zero(bits))};
    }
    return CpuId::none();
}
CpuId holder_outside(CpuSetView holders, CpuSetView span) {
    for (std::size_t w = 0; w < holders.size(); ++w) {
        const std::uint64_t bits = holders[w] & ~(w < span.size() ? span[w] : 0);
        if (bits != 0) return CpuId{w * 64 + static_cast<std::size_t>(std::countr_zero(bits))};
    }
    return CpuId::none();
}

/// The CPUs around one, nearest level first.
std::array<CpuSetView, 4> around(const Machine& m, CpuId cpu) {
    const Cpu& c = m.cpu(cpu);
    return {m.core_span[c.core.index()], m.cluster_span[c.cluster.index()], m.llc_span[c.llc.index()], m.package_span[c.package.index()]};
}

CpuId nearest_holder(CpuSetView holders, const Machine& m, CpuId cpu) {
    for (const CpuSetView span : around(m, cpu))
        if (const CpuId holder = holder_inside(holders, span, cpu)) return holder;
    return first_cpu(holders); // the CPU itself is none: it would have hit
}
/// Of holders besides `cpu`; at least one.
CpuId farthest_holder(CpuSetView holders, const Machine& m, CpuId cpu) {
    const std::array spans = around(m, cpu);
    for (auto span = spans.rbegin(); span != spans.rend(); ++span)
        if (const CpuId holder = holder_outside(holders, *span)) return holder;
    return holder_inside(holders, spans.front(), cpu);
}

std::span<std::uint64_t> row(std::vector<std::uint64_t>& table, std::size_t at, std::size_t columns) {
    const std::size_t words = cpu_set_words(columns);
    return std::span(table).subspan(at * words, words);
}

void hold(CacheLines& l, LineId line, CpuId cpu) {
    if (contains(l.holders_of(line), cpu)) return;
    set_bit(row(l.holders, line.index(), static_cast<std::size_t>(l.cpus)), cpu);
    set_bit(row(l.held, cpu.index(), l.lines.size()), CpuId{line.value});
    ++l.lines[line.index()].holders;
}
void drop(CacheLines& l, LineId line, CpuId cpu) {
    clear_bit(row(l.holders, line.index(), static_cast<std::size_t>(l.cpus)), cpu);
    clear_bit(row(l.held, cpu.index(), l.lines.size()), CpuId{line.value});
    CacheLine& state = l.lines[line.index()];
    --state.holders;
    if (state.owner == cpu) state.owner = CpuId::none();
}

} // namespace

std::span<const LineKindInfo> line_kind_table() { return kinds; }

std::size_t LineLayout::size() const {
    std::size_t n = 0;
    for (const LineKindInfo& k : kinds) n += lines_of(*this, k.id);
    return n;
}

LineId LineLayout::line(LineKind kind, std::size_t at) const {
    PICKNEXT_ASSERT(at < lines_of(*this, kind), "line {} of kind {}, which has {}", at, static_cast<int>(kind), lines_of(*this, kind));
    for (const LineKindInfo& k : kinds) {
        if (k.id == kind) break;
        at += lines_of(*this, k.id);
    }
    return LineId{at};
}

LineLayout::Name LineLayout::name(LineId line) const {
    std::size_t at = line.index();
    for (const LineKindInfo& k : kinds) {
        if (at < lines_of(*this, k.id)) return {k.id, at};
        at -= lines_of(*this, k.id);
    }
    PICKNEXT_ASSERT(false, "line {} of {}", line, size());
    return {LineKind::count, 0};
}

LineLayout layout(const Machine& machine) { return {machine.llc_span.size(), machine.cpu_count()}; }
CacheLines make_lines(const Machine& machine) { return CacheLines(layout(machine).size(), machine.cpu_count()); }

LineAccess decide_access(const CacheLines& lines, const Costs& costs, const Machine& machine, LineId line, CpuId cpu, LineOp op,
                         std::int64_t now) {
    const CacheLine& state = lines.lines[line.index()];
    const CpuSetView holders = lines.holders_of(line);
    const bool held = contains(holders, cpu);
    LineAccess a;
    a.op = op;
    const bool before = now < state.busy_from;
    a.from = state.busy_from;
    a.hit = held && (op == LineOp::read || state.holders == 1);
    if (a.hit) {
        a.service_ns = costs[op == LineOp::read ? Cost::line_hit : op == LineOp::write ? Cost::line_write : Cost::line_atomic];
        a.done = op == LineOp::read || before ? state.busy_until : std::max(state.busy_until, now + a.service_ns);
        return a;
    }
    if (op == LineOp::read) a.source = state.owner ? state.owner : nearest_holder(holders, machine, cpu);
    else if (state.holders > 0) a.source = farthest_holder(holders, machine, cpu);
    a.service_ns = distance(costs, a.source ? sharing(machine, cpu, a.source) : Sharing::same_llc);
    if (before) {
        a.done = state.busy_until;
        return a;
    }
    a.wait_ns = std::clamp<std::int64_t>(state.busy_until - now, 0, costs[Cost::line_waiters] * a.service_ns);
    if (now >= state.busy_until) a.from = now;
    a.done = std::max(state.busy_until, now + a.ns());
    return a;
}

void apply_access(CacheLines& lines, LineId line, CpuId cpu, const LineAccess& access) {
    CacheLine& state = lines.lines[line.index()];
    if (access.op != LineOp::read) {
        if (!access.hit)
            for (CpuId c = first_cpu(lines.holders_of(line)); c; c = next_cpu(lines.holders_of(line), c.index() + 1))
                if (c != cpu) drop(lines, line, c);
        state.owner = cpu;
    }
    hold(lines, line, cpu);
    state.busy_from = access.from;
    state.busy_until = access.done;
    ++(access.op == LineOp::read ? state.reads : state.writes);
    ++(access.hit ? state.hits : state.transfers);
    if (access.wait_ns > 0) ++state.waits;
    state.wait_ns += static_cast<std::uint64_t>(access.wait_ns);
    state.ns += static_cast<std::uint64_t>(access.ns());
}

std::int64_t access(CacheLines& lines, const Costs& costs, const Machine& machine, LineId line, CpuId cpu, LineOp op, std::int64_t now) {
    const LineAccess a = decide_access(lines, costs, machine, line, cpu, op, now);
    apply_access(lines, line, cpu, a);
    return a.ns();
}

bool evicts(const Costs& costs, LineId line, CpuId cpu, std::uint64_t switches, std::uint64_t seed) {
    constexpr std::uint64_t certain = 1000;
    const std::uint64_t stream = (static_cast<std::uint64_t>(line.value) << 32) | static_cast<std::uint64_t>(cpu.value);
    return random_below(seed, stream, switches, certain) < static_cast<std::uint64_t>(costs[Cost::line_eviction]);
}

int apply_switch(CacheLines& lines, const Costs& costs, CpuId cpu, std::uint64_t switches, std::uint64_t seed) {
    if (costs[Cost::line_eviction] == 0) return 0;
    int lost = 0;
    const std::span<const std::uint64_t> held = lines.held_by(cpu);
    for (std::size_t w = 0; w < held.size(); ++w)
        for (std::uint64_t bits = held[w]; bits != 0; bits &= bits - 1) {
            const LineId line{w * 64 + static_cast<std::size_t>(std::countr_zero(bits))};
            if (!evicts(costs, line, cpu, switches, seed)) continue;
            drop(lines, line, cpu);
            ++lost;
        }
    return lost;
}

} // namespace picknext::cost
