// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/align.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace picknext::compare {
namespace {

using Question = std::pair<Chk, std::int32_t>; // predicate and subject

/// Indices of a longest ascending subsequence.
std::vector<std::size_t> longest_ascending(const std::vector<std::size_t>& values) {
    std::vector<std::size_t> ends;                          // by length - 1: index of the least value such a sequence ends with
    std::vector<std::size_t> before(values.size(), SIZE_MAX);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = std::ranges::lower_bound(ends, values[i], {}, [&](std::size_t e) { return values[e]; });
        if (at != ends.begin()) before[i] = *(at - 1);
        if (at == ends.end()) ends.push_back(i);
        else *at = i;
    }
    std::vector<std::size_t> out;
    for (std::size_t i = ends.empty() ? SIZE_MAX : ends.back(); i != SIZE_MAX; i = before[i]) out.push_back(i);
    std::ranges::reverse(out);
    return out;
}

bool asked(const Check& c) { return c.verdict != Verdict::not_asked; }

Likeness likeness(const Check& a, const Check& b) {
    if (asked(a) != asked(b)) return asked(a) ? Likeness::only_a : Likeness::only_b;
    if (a.verdict != b.verdict) return Likeness::answer;
    return a == b ? Likeness::same : Likeness::numbers;
}

} // namespace

std::vector<CheckPair> align(std::span<const Check> a, std::span<const Check> b) {
    std::map<Question, std::vector<std::size_t>> where; // in A, the last first
    for (std::size_t i = a.size(); i-- > 0;) where[{a[i].id, a[i].subject}].push_back(i);
    std::vector<std::size_t> met_a, met_b; // every pair that might be one row. Of those of one check of B at most one can be in an ascending sequence of A
    for (std::size_t j = 0; j < b.size(); ++j)
        if (const auto at = where.find({b[j].id, b[j].subject}); at != where.end())
            for (const std::size_t i : at->second) {
                met_a.push_back(i);
                met_b.push_back(j);
            }
    std::vector<CheckPair> rows;
    std::size_t i = 0, j = 0;
    const auto alone_until = [&](std::size_t end_a, std::size_t end_b) {
        for (; i < end_a; ++i) rows.push_back({i, {}, Likeness::only_a});
        for (; j < end_b; ++j) rows.push_back({{}, j, Likeness::only_b});
    };
    for (const std::size_t k : longest_ascending(met_a)) {
        alone_until(met_a[k], met_b[k]);
        rows.push_back({i, j, likeness(a[i], b[j])});
        ++i;
        ++j;
    }
    alone_until(a.size(), b.size());
    return rows;
}

} // namespace picknext::compare
