// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/check_file.hpp"

#include <fmt/format.h>

#include "app/vectors/format.hpp"
#include "app/vectors/multi.hpp"

namespace picknext::vectors {

Result<Tally> check_text(const std::string& name, const std::string& text) {
    const Place place{.file = name, .pointer = {}};
    try {
        const Value file = parse(text);
        const Format* format = format_of(file);
        if (format == nullptr) {
            if (std::optional<Tally> several_cpus = check_multi(text)) return std::move(*several_cpus);
        }
        if (format == nullptr) return Error{"E-FORMAT", place, "is not of a known vector format"};
        Tally tally;
        format->check(file, tally);
        return tally;
    } catch (const Malformed& e) {
        return Error{"E-FORMAT", place, fmt::format("is no vector file of its kind: {}", e.what())};
    }
}

} // namespace picknext::vectors
