// SPDX-License-Identifier: GPL-3.0-or-later
// Does a packet hold? Runs its scenario and tries every assertion.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/expr/expression.hpp"
#include "core/packet/packet.hpp"

namespace picknext::packet {

/// What became of one assertion.
struct Verdict {
    bool holds = true;
    std::uint64_t looked_at = 0;       // decisions it was asked about
    std::uint64_t at = 0;              // violated: number of the decision that shows it, 0 = the end of the run
    std::vector<expr::Tried> tried;    // at that decision: its condition, part by part
};

struct Checked {
    std::vector<Verdict> assertions;   // as in the packet
    std::uint64_t digest = 0;          // of the state at the end
    bool digest_holds = true;          // or none was expected
    std::uint64_t decisions = 0;       // of the run
    bool cancelled = false;            // then nothing else is meant
    [[nodiscard]] bool holds() const;
    /// Index of the assertion violated first: at the earliest decision, and of those the first in the packet.
    [[nodiscard]] std::optional<std::size_t> first_violated() const;
};

/// scenario: that of the packet under its toggles. Errors: a condition that does not compile; place: its column, pointer
/// "/assertions/N/condition" or ".../where".
[[nodiscard]] Result<Checked> check(const Packet& packet, std::shared_ptr<const Scenario> scenario, const RunLimit& limit, std::stop_token stop = {},
                                    const Progress& progress = {});

} // namespace picknext::packet
