// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redecide/alternatives.hpp"

#include <fmt/format.h>

#include "core/profile/changes.hpp"

namespace picknext {
namespace {

/// How many values a patch has.
int values_of(const PatchInfo& patch) { return patch.variants.empty() ? 2 : static_cast<int>(patch.variants.size()); }

} // namespace

bool reads_unkept(const Settings& own, const Settings& other) {
    const auto newly = [&](Feature f) { return !own.on(f) && other.on(f); };
    return (own.idle_mask() == IdleMask::off && other.idle_mask() != IdleMask::off) || newly(Feature::sis_util) || newly(Feature::sis_prop);
}

std::vector<Alternative> alternatives(const Settings& own, int online_cpus) {
    std::vector<Alternative> out;
    const auto add = [&](std::string change, const Settings& settings) { out.push_back({std::move(change), settings, reads_unkept(own, settings)}); };
    for (const PatchInfo& p : patch_table()) {
        if (own.patch(p.id) == absent) continue;
        for (int value = 0; value < values_of(p); ++value) {
            if (value == own.patch(p.id)) continue;
            Settings other = own;
            other.set(p.id, value);
            add(fmt::format("patch.{}={}", p.name, variant_name(p, value)), other);
        }
    }
    for (const FeatureInfo& f : feature_table()) {
        if (f.by_kernel[static_cast<std::size_t>(own.kernel)] == absent) continue;
        Settings other = own;
        other.set(f.id, !own.on(f.id));
        add(fmt::format("feature.{}={}", f.name, own.on(f.id) ? "off" : "on"), other);
    }
    for (const KernelInfo& k : kernel_table())
        if (k.id != own.kernel) add(fmt::format("kernel={}", k.name), carried_over(own, online_cpus, k.id, online_cpus));
    return out;
}

} // namespace picknext
