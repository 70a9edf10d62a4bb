// SPDX-License-Identifier: GPL-3.0-or-later
// Which constants of the cost model a result rests on, and how well each is known.
#pragma once

#include <span>
#include <vector>

#include "core/bench/figures.hpp"
#include "core/bench/plan.hpp"

namespace picknext::bench {

/// The constants a kind of time is made of, whatever a run charges of them.
[[nodiscard]] std::span<const cost::Cost> constants_of(Spend kind);

/// A constant that was charged.
struct Assumption {
    cost::Cost constant = cost::Cost::count;
    cost::Basis basis = cost::Basis::assumed;
    Spend kind = Spend::count;
    double share = 0;          // of the kernel's time, of the kind it is part of, 0..1: how much can rest on it at most
    friend bool operator==(const Assumption&, const Assumption&) = default;
};
/// Those of a kind some time was spent on that this machine and these resources can use and whose value is not 0; all bases,
/// largest share first, then in the order of the table.
[[nodiscard]] std::vector<Assumption> assumptions(const Plan& plan, const Workload& workload, const Breakdown& where);

/// The least sure basis of the profile's idle states; published if it has none. They are rows of their own, no constants.
[[nodiscard]] cost::Basis idle_basis(const cost::CostProfile& profile);
/// The share of the kernel's time that went into leaving them, 0..1.
[[nodiscard]] double idle_share(const Breakdown& where);

/// Shares of the kernel's time, without idle exits, by the least sure basis of each kind's constants, in the order of cost::basis_names; with
/// idle_share the sum is 1, or 0.
[[nodiscard]] std::array<double, cost::basis_names.size()> time_by_basis(const std::vector<Assumption>& list);

} // namespace picknext::bench
