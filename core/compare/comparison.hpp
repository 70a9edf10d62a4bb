// SPDX-License-Identifier: GPL-3.0-or-later
// All that was found out about two settings of one scenario, for who prints or shows it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/divergence.hpp"
#include "core/compare/seeds.hpp"

namespace picknext::compare {

struct Matrix {
    std::vector<std::string> toggles; // as core/profile/changes reads them
    std::vector<Samples> arms;        // by set of toggles that are on
};

struct Comparison {
    std::shared_ptr<const Scenario> a, b;
    std::vector<std::string> changes; // that make the settings of B of those of A
    std::optional<Divergences> divergences;
    std::optional<std::array<Samples, 2>> samples;
    std::optional<Matrix> matrix;

    /// Some outcome differs, as far as was looked.
    [[nodiscard]] bool differs() const;
};

} // namespace picknext::compare
