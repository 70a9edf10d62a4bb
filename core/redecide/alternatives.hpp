// SPDX-License-Identifier: GPL-3.0-or-later
// All settings that differ from given ones in one thing.
#pragma once

#include <string>
#include <vector>

#include "core/profile/profile.hpp"

namespace picknext {

struct Alternative {
    std::string change;     // as core/profile/changes reads it: "patch.idle_mask=v2"
    Settings settings;
    bool without_history = false; // reads_unkept
    friend bool operator==(const Alternative&, const Alternative&) = default;
};

/// The other settings read what these never kept up, so that it is as the run began: a mask of idle CPUs, how far a wakeup may scan
/// (SIS_UTIL), what a scan costs (SIS_PROP).
[[nodiscard]] bool reads_unkept(const Settings& own, const Settings& other);

/// Every other value of each patch the kernel has, each feature it has flipped, and every other kernel, in the order of the tables.
/// online_cpus: of the machine, >= 1.
[[nodiscard]] std::vector<Alternative> alternatives(const Settings& own, int online_cpus);

} // namespace picknext
