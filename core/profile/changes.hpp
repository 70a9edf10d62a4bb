// SPDX-License-Identifier: GPL-3.0-or-later
// Settings changed by words: "patch.idle_mask=draft,feature.SIS_UTIL=off,tunable.base_slice=3ms,kernel=eevdf-6.12". The
// one place where such text is read; options, comparisons and review packets all take it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/profile/profile.hpp"

namespace picknext {

/// The settings of another kernel, or of the same on another number of online CPUs (>= 1): its defaults, but where the
/// old settings differed from theirs, as far as the other kernel has that.
[[nodiscard]] Settings carried_over(const Settings& old, int old_cpus, Kernel kernel, int cpus);

/// The settings with a comma list of items put over them, from left to right but for the kernel, which comes first.
/// Items: kernel=NAME, patch.NAME=VARIANT, feature.NAME=on|off, tunable.NAME=VALUE (a length of time where the tunable is
/// one). online_cpus: of the machine. An empty text changes nothing. Errors: E-USAGE (no such item, no value), E-KERNEL,
/// E-PATCH, E-FEATURE, E-TUNABLE (unknown, or the kernel has none), E-ENUM, E-RANGE and those of parse_duration; place:
/// line 1 and the column of the item.
[[nodiscard]] Result<Settings> changed(const Settings& settings, int online_cpus, std::string_view items);

/// The items that make `to` of `from` by fn changed, as it reads them; empty when they are equal. A kernel that differs
/// comes first, then what differs from what it carries over.
[[nodiscard]] std::vector<std::string> changes(const Settings& from, const Settings& to, int online_cpus);

/// How a tunable is called without the unit at its end, and what one unit is in ns (0 = no time).
struct TunableName {
    std::string_view bare;
    std::int64_t unit = 0;
};
[[nodiscard]] TunableName name_without_unit(const TunableInfo& tunable);
/// By its name with or without the unit, also behind "sched_"; nullptr: there is none.
[[nodiscard]] const TunableInfo* find_tunable_by_any_name(std::string_view name);
/// A value of it as people write it: "3ms", "250".
[[nodiscard]] std::string tunable_text(const TunableInfo& tunable, std::int64_t value);

} // namespace picknext
