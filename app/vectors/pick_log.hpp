// SPDX-License-Identifier: GPL-3.0-or-later
// The picks the engine announces, in the words of the files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/vectors/scene.hpp"
#include "app/vectors/trace_expected.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::vectors {

/// The letter of a path. EEVDF: d direct, p parity, f leftmost, s search, b next buddy. CFS: l leftmost, k second,
/// n next buddy, a last buddy.
[[nodiscard]] std::string path_letter(const Settings& settings, PickPath path);

/// Collects the picks of one operation.
class PickLog final : public Observer {
  public:
    explicit PickLog(const Scene& scene) : m_scene(&scene) {}
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override;
    void clear() { m_picks.clear(); }
    [[nodiscard]] const std::vector<PickEntry>& picks() const { return m_picks; }

  private:
    const Scene* m_scene;
    std::vector<PickEntry> m_picks;
};

} // namespace picknext::vectors
