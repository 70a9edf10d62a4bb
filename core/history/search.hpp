// SPDX-License-Identifier: GPL-3.0-or-later
// Going on to the next decision where a condition holds, or back to the previous one.
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/expr/expression.hpp"
#include "core/history/timeline.hpp"

namespace picknext {

/// The decisions a search may look at, by number, both ends included. first >= 1.
struct Fence {
    std::uint64_t first = 1;
    std::uint64_t last = UINT64_MAX;
};

enum class SearchEnd : std::uint8_t {
    hit,       // the cursor stands on it
    fence,     // none up to the fence: the cursor stays where it was
    run,       // none up to the end, or back to the start: likewise
    cancelled  // likewise
};

struct SearchResult {
    SearchEnd end = SearchEnd::run;
    std::uint64_t decision = 0; // the hit, else 0
    friend bool operator==(const SearchResult&, const SearchResult&) = default;
};

/// The nearest decision after (before) the cursor at which the condition holds. Forward and backward find the same
/// decisions. A forward search without a fence over a scenario without an end goes on until it is stopped.
SearchResult find_hit(Timeline& timeline, const expr::Expression& condition, Direction direction, Fence fence = {},
                      std::stop_token stop = {}, const Progress& progress = {});

/// The nearest decision after (before) the cursor at which the value of an expression is another than at the decision
/// before it (for the first decision: than at the start): what a watch stops at. No value is a value of its own.
SearchResult find_change(Timeline& timeline, const expr::Expression& watched, Direction direction, Fence fence = {},
                         std::stop_token stop = {}, const Progress& progress = {});

} // namespace picknext
