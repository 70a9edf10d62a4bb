// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/format.hpp"

#include <algorithm>
#include <array>

namespace picknext::vectors {

namespace {

constexpr std::array formats{
    Format{"weights", check_weights},           Format{"pelt", check_load_tracking},
    Format{"eevdf_pick", check_pick_cases},     Format{"eevdf_reweight", check_reweight_cases},
    Format{"eevdf_trace", check_traces},        Format{"cfs_trace", check_traces},
    Format{"cfs512_trace", check_traces},
};

} // namespace

std::string kind_of(const Value& file) {
    if (!file.is_map()) return {};
    if (const Value* kind = file.find("kind")) return kind->text();
    const Value* doc = file.find("doc");
    if (doc == nullptr || !doc->is_map()) return {};
    std::string section = doc->text_or("readme", "");
    if (const auto comma = section.rfind(", "); comma != std::string::npos) section.erase(0, comma + 2);
    constexpr std::string_view word = "section ";
    return section.starts_with(word) ? section.substr(word.size()) : section;
}

const Format* format_of(const Value& file) {
    const std::string kind = kind_of(file);
    const auto* it = std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.kind == kind; });
    return it != formats.end() ? it : nullptr;
}

} // namespace picknext::vectors
