// SPDX-License-Identifier: GPL-3.0-or-later
// One static queue as pick cases and weight-change cases write it.
#pragma once

#include <cstdint>
#include <string>

#include "app/vectors/scene.hpp"
#include "app/vectors/value.hpp"

namespace picknext::vectors {

/// A case with the file's defaults for what it leaves out.
class Case {
  public:
    Case(const Value& values, const Value& defaults) : m_values(&values), m_defaults(&defaults) {}
    [[nodiscard]] std::int64_t number(std::string_view key) const;
    [[nodiscard]] const Value* find(std::string_view key) const { return m_values->find(key); }
    [[nodiscard]] const Value& operator[](std::string_view key) const { return (*m_values)[key]; }

  private:
    const Value* m_values;
    const Value* m_defaults;
};

/// The queue of a case: reference z; entities e = [vruntime - z, deadline - z, coarse weight] put into the tree in list
/// order, each named by its index; with c >= 0 entity 0 runs instead (1 queued, 0 no longer queued).
[[nodiscard]] Scene case_scene(const Settings& settings, const Case& c);

} // namespace picknext::vectors
