// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/pick_log.hpp"

#include "core/base/assert.hpp"

namespace picknext::vectors {

std::string path_letter(const Settings& settings, PickPath path) {
    switch (path) {
    case PickPath::direct: return "d";
    case PickPath::parity: return "p";
    case PickPath::fast: return "f";
    case PickPath::slow: return "s";
    case PickPath::buddy: return settings.eevdf() ? "b" : "n";
    case PickPath::leftmost: return "l";
    case PickPath::skip: return "k";
    case PickPath::last: return "a";
    case PickPath::none:
    case PickPath::count: break;
    }
    PICKNEXT_ASSERT(false, "a pick without a path ({})", static_cast<int>(path));
}

void PickLog::on_decision(const State& before, const DecisionHeader& header, std::span<const Check>) {
    const EntityId picked{header.outcome};
    if (header.kind != Kind::pick || !picked) return; // an empty queue is no pick
    const QueueId queue = before.entity(picked).queue;
    m_picks.push_back({path_letter(before.settings, header.path), m_scene->name_of(picked), before.queue(queue).group.value});
}

} // namespace picknext::vectors
