// SPDX-License-Identifier: GPL-3.0-or-later
// What was counted, as the text of /proc/schedstat: what tools for that file read.
#pragma once

#include <string>

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::io {

/// The version a kernel prints: 16 in 6.12, 15 in the others (6.6 and 6.8 by date: assumed). They differ in the order of the idle kinds of a domain: idle,
/// not idle, newly idle in 15; not idle, idle, newly idle in 16.
[[nodiscard]] int schedstat_version(Kernel kernel);

/// The file: version, timestamp (jiffies), then for each online CPU its line and one for each of its domains. Columns
/// nothing counts in any more are 0. Run time and waits of what still runs or waits are not in it, as in the kernel.
/// version: 15 or 16. domains: those in force.
[[nodiscard]] std::string schedstat_text(const State& st, const Domains& domains, int version);

/// A CPU mask as the kernel prints it over this many CPUs: 32 bits a group, the highest first, with leading zeros.
[[nodiscard]] std::string mask_text(CpuSetView mask, std::size_t cpus);

} // namespace picknext::io
