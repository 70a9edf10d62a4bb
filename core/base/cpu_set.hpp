// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of CPUs: an owning CpuSet, and free functions over spans of words so that rows of one flat table serve too.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/ids.hpp"

namespace picknext {

using CpuSetView = std::span<const std::uint64_t>; // bit c%64 of word c/64 = CPU c; bits past the machine are 0

[[nodiscard]] constexpr std::size_t cpu_set_words(std::size_t cpus) { return (cpus + 63) / 64; }
[[nodiscard]] constexpr bool contains(CpuSetView set, CpuId cpu) {
    return cpu.index() / 64 < set.size() && ((set[cpu.index() / 64] >> (cpu.index() % 64)) & 1U) != 0;
}
constexpr void set_bit(std::span<std::uint64_t> set, CpuId cpu) { set[cpu.index() / 64] |= 1ULL << (cpu.index() % 64); }
constexpr void clear_bit(std::span<std::uint64_t> set, CpuId cpu) { set[cpu.index() / 64] &= ~(1ULL << (cpu.index() % 64)); }
[[nodiscard]] constexpr int count(CpuSetView set) {
    int n = 0;
    for (std::uint64_t w : set) n += std::popcount(w);
    return n;
}
/// First member >= from, or none (kernel: cpumask_next of from-1).
[[nodiscard]] constexpr CpuId next_cpu(CpuSetView set, std::size_t from) {
    for (std::size_t w = from / 64; w < set.size(); ++w) {
        std::uint64_t bits = set[w];
        if (w == from / 64) bits &= ~0ULL << (from % 64);
        if (bits != 0) return CpuId{w * 64 + static_cast<std::size_t>(std::countr_zero(bits))};
    }
    return CpuId::none();
}
[[nodiscard]] constexpr CpuId first_cpu(CpuSetView set) { return next_cpu(set, 0); }

/// Calls f(CpuId) for each member, ascending; f may return bool, false stops.
template <class F>
constexpr void for_each_cpu(CpuSetView set, F&& f) {
    for (CpuId c = first_cpu(set); c; c = next_cpu(set, c.index() + 1)) {
        if constexpr (requires { { f(c) } -> std::same_as<bool>; }) {
            if (!f(c)) return;
        } else {
            f(c);
        }
    }
}
/// As for_each_cpu, but from..max and then min..from-1 (kernel: for_each_cpu_wrap).
template <class F>
constexpr void for_each_cpu_wrap(CpuSetView set, std::size_t from, F&& f) {
    for (CpuId c = next_cpu(set, from); c; c = next_cpu(set, c.index() + 1))
        if (!f(c)) return;
    for (CpuId c = first_cpu(set); c && c.index() < from; c = next_cpu(set, c.index() + 1))
        if (!f(c)) return;
}

/// An owning set for `cpus` CPUs.
class CpuSet {
  public:
    CpuSet() = default;
    explicit CpuSet(std::size_t cpus) : m_words(cpu_set_words(cpus), 0) {}
    [[nodiscard]] static CpuSet all(std::size_t cpus) {
        CpuSet s(cpus);
        for (std::size_t c = 0; c < cpus; ++c) s.add(CpuId{c});
        return s;
    }
    void add(CpuId c) {
        if (c.index() / 64 >= m_words.size()) m_words.resize(c.index() / 64 + 1, 0);
        set_bit(m_words, c);
    }
    void remove(CpuId c) {
        if (c.index() / 64 < m_words.size()) clear_bit(m_words, c);
    }
    [[nodiscard]] bool has(CpuId c) const { return contains(m_words, c); }
    [[nodiscard]] int size() const { return count(m_words); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] CpuId first() const { return first_cpu(m_words); }
    operator CpuSetView() const { return m_words; } // NOLINT: a set is its words
    [[nodiscard]] std::span<std::uint64_t> words() { return m_words; }
    friend bool operator==(const CpuSet&, const CpuSet&) = default;

  private:
    std::vector<std::uint64_t> m_words;
};

/// The CPUs in both, as a set of the size of `a`.
[[nodiscard]] inline CpuSet intersection(CpuSetView a, CpuSetView b) {
    CpuSet both(a.size() * 64);
    for (std::size_t w = 0; w < a.size() && w < b.size(); ++w) both.words()[w] = a[w] & b[w];
    return both;
}

} // namespace picknext
