// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.hpp"

#include <algorithm>

namespace picknext::compare {
namespace {

bool differ(const Samples& a, const Samples& b) {
    return !std::ranges::equal(a, b, [](const Measured& x, const Measured& y) { return x.outcomes == y.outcomes; });
}

} // namespace

bool Comparison::differs() const {
    if (divergences && divergences->differs(Depth::outcome)) return true;
    if (samples && differ((*samples)[0], (*samples)[1])) return true;
    return matrix && std::ranges::any_of(matrix->arms, [&](const Samples& arm) { return differ(arm, matrix->arms.front()); });
}

} // namespace picknext::compare
