// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/packet/packet.hpp"

#include <fmt/format.h>

#include "core/profile/changes.hpp"

namespace picknext::packet {

Result<Scenario> scenario_under_toggles(const Packet& packet) {
    Scenario out = packet.scenario;
    for (const std::string& toggle : packet.toggles) {
        Result<Settings> settings = changed(out.settings, out.machine.online().size(), toggle);
        if (!settings) return settings.error();
        out.settings = *settings;
    }
    return out;
}

std::string claim(const Assertion& a) {
    if (!a.name.empty()) return a.name;
    const std::string where = a.where.empty() ? "" : fmt::format(" where {}", a.where);
    switch (a.when) {
    case When::always: return fmt::format("always {}{}", a.condition, where);
    case When::never: return fmt::format("never {}{}", a.condition, where);
    case When::sometime: return fmt::format("sometime {}{}", a.condition, where);
    case When::decision: return fmt::format("decision {}: {}", a.decision, a.condition);
    }
    return {};
}

} // namespace picknext::packet
