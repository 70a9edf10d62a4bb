// SPDX-License-Identifier: GPL-3.0-or-later
// The modelled cache lines as data: who holds which, until when each is busy, and what was counted. Flat arrays, as the rest
// of the state; core/cost/lines.hpp says what an access costs and changes.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/cpu_set.hpp"
#include "core/base/ids.hpp"

namespace picknext {

using LineId = Id<struct LineTag>; // index into CacheLines::lines

/// One line. Times in ns; counters over the run.
struct CacheLine {
    std::int64_t busy_from = 0;  // when the transfers under way began: an access before that does not meet them,
    std::int64_t busy_until = 0; // one before this waits
    CpuId owner;                 // the last writer, while it holds the line; it is among the holders
    std::uint32_t holders = 0;   // how many CPUs hold it
    std::uint64_t reads = 0;     // accesses that only read
    std::uint64_t writes = 0;    // stores and atomics
    std::uint64_t hits = 0;      // of both: done in the CPU's own cache
    std::uint64_t transfers = 0; // of both: the line came from elsewhere
    std::uint64_t waits = 0;     // of the transfers: queued behind another
    std::uint64_t wait_ns = 0;
    std::uint64_t ns = 0;        // cost of all accesses, waiting included
    friend bool operator==(const CacheLine&, const CacheLine&) = default;
};
static_assert(std::has_unique_object_representations_v<CacheLine>);

/// Holding is kept both ways, as two bit tables: a write asks who holds a line, a task switch which lines a CPU holds.
struct CacheLines {
    std::vector<CacheLine> lines;
    std::vector<std::uint64_t> holders; // row per line, bit per CPU
    std::vector<std::uint64_t> held;    // row per CPU, bit per line
    std::int64_t cpus = 0;

    CacheLines() = default;
    CacheLines(std::size_t line_count, std::size_t cpu_count)
        : lines(line_count), holders(line_count * cpu_set_words(cpu_count), 0), held(cpu_count * cpu_set_words(line_count), 0),
          cpus(static_cast<std::int64_t>(cpu_count)) {}

    [[nodiscard]] CpuSetView holders_of(LineId line) const {
        const std::size_t words = cpu_set_words(static_cast<std::size_t>(cpus));
        return CpuSetView(holders).subspan(line.index() * words, words);
    }
    /// Bit l%64 of word l/64 = line l.
    [[nodiscard]] std::span<const std::uint64_t> held_by(CpuId cpu) const {
        const std::size_t words = cpu_set_words(lines.size());
        return std::span(held).subspan(cpu.index() * words, words);
    }
    friend bool operator==(const CacheLines&, const CacheLines&) = default;
};

} // namespace picknext
