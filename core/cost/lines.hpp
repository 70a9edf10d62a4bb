// SPDX-License-Identifier: GPL-3.0-or-later
// The cache-line engine: a few lines the kernel's CPUs fight for, each read, written and evicted by simple rules, so that
// contention comes out instead of being put in. A model: ownership as in MOESI, one transfer at a time per line.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/cost/costs.hpp"
#include "core/state/cache_lines.hpp"
#include "core/topology/machine.hpp"

namespace picknext::cost {

/// The lines there are. Each kind has one line per LLC, per CPU, or one in all.
enum class LineKind : std::uint8_t {
    llc_shared,      // sd_llc_shared: nr_busy_cpus and has_idle_cores; per LLC
    idle_mask,       // thread 3: the mask of idle CPUs; per LLC
    rq,              // the hot line of a run queue: nr_running, curr; per CPU
    domain_pointers, // a CPU's sd_llc and its kin, read by others that look for its LLC; per CPU
    nohz,            // nohz.idle_cpus_mask, nr_cpus, has_blocked; one
    stats_mask,      // thread 5, cpumask variant: CPUs with blocked load; one
    count
};
struct LineKindInfo {
    LineKind id;
    std::string_view name;  // word in files and logs
    std::string_view title;
    enum class Per : std::uint8_t { llc, cpu, machine } per;
};
[[nodiscard]] std::span<const LineKindInfo> line_kind_table();

/// Where each line stands in CacheLines: kind after kind.
struct LineLayout {
    std::size_t llcs = 0, cpus = 0;
    [[nodiscard]] std::size_t size() const;
    /// `at` = index of the LLC or CPU, 0 for a kind of one line.
    [[nodiscard]] LineId line(LineKind kind, std::size_t at = 0) const;
    struct Name {
        LineKind kind;
        std::size_t at;
    };
    [[nodiscard]] Name name(LineId line) const; // the inverse
};
[[nodiscard]] LineLayout layout(const Machine& machine);
/// All lines of a machine, held by nobody.
[[nodiscard]] CacheLines make_lines(const Machine& machine);

enum class LineOp : std::uint8_t { read, write, atomic };

/// What an access costs and where the line comes from.
struct LineAccess {
    LineOp op = LineOp::read;
    bool hit = false;            // held already (to write: by nobody else); never waits
    CpuId source;                // CPU it comes from; none for a hit, or when no CPU holds it and the LLC has it
    std::int64_t wait_ns = 0;    // behind earlier transfers of the line
    std::int64_t service_ns = 0; // the hit, or the transfer
    std::int64_t from = 0, done = 0; // between these the line is then busy
    [[nodiscard]] std::int64_t ns() const { return wait_ns + service_ns; }
};

/// One access of `cpu` at time `now` (ns), undone.
/// A read of a line held is a hit. Else it comes from the owner, or from the nearest holder, or from the LLC at its distance.
/// A write or atomic of a line nobody else holds is a hit, else it waits for the farthest other holder to give it up.
/// A transfer waits until the line is free, but for no more than Cost::line_waiters transfers as long as its own. CPUs come in the
/// order of their events, not of their accesses: one that comes later but was there before the others finds the line free.
[[nodiscard]] LineAccess decide_access(const CacheLines& lines, const Costs& costs, const Machine& machine, LineId line, CpuId cpu, LineOp op,
                                       std::int64_t now);
/// The CPU joins the holders, or becomes the owner and only holder; counts.
void apply_access(CacheLines& lines, LineId line, CpuId cpu, const LineAccess& access);
/// Decides, applies, returns the cost in ns.
std::int64_t access(CacheLines& lines, const Costs& costs, const Machine& machine, LineId line, CpuId cpu, LineOp op, std::int64_t now);

/// Whether the `switches`-th task switch of a CPU evicts a line it holds: a draw of probability Cost::line_eviction.
[[nodiscard]] bool evicts(const Costs& costs, LineId line, CpuId cpu, std::uint64_t switches, std::uint64_t seed = 0);
/// That switch: the CPU loses the lines it evicts. Returns how many.
int apply_switch(CacheLines& lines, const Costs& costs, CpuId cpu, std::uint64_t switches, std::uint64_t seed = 0);

} // namespace picknext::cost
