// SPDX-License-Identifier: GPL-3.0-or-later
// Import of rt-app's workload files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/document.hpp"

namespace picknext::io {

struct RtappOptions {
    /// A repeated key: each its own event, phase or task (as most published files mean it); or, as rt-app itself reads
    /// it, the last value at the first place.
    enum class Duplicates : std::uint8_t { as_written, as_rtapp };
    Duplicates duplicates = Duplicates::as_written;
    std::int64_t ps_per_byte = 100;    // of mem and iorun
    std::int64_t ns_per_access = 1;    // of memrun
};

struct RtappImport {
    Workload workload;
    std::optional<std::int64_t> duration; // ns, of the whole run
};

/// Errors: those of the reader, E-DIALECT for other tools' dialects, E-TEMPLATE, E-AFFINITY, E-UNKNOWN, E-ZEROTIME.
[[nodiscard]] Result<RtappImport> read_rtapp(std::string_view text, const std::string& name, const Machine& machine,
                                             Report& report, const RtappOptions& options = {});

} // namespace picknext::io
