// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.hpp"

namespace picknext {

std::string Error::text() const {
    std::string out;
    if (!place.file.empty()) out += place.file + ":";
    if (place.line > 0) out += fmt::format("{}:{}:", place.line, place.column);
    if (!out.empty()) out += " ";
    out += "error " + code;
    if (!place.pointer.empty()) out += " " + place.pointer;
    return out + ": " + message;
}

} // namespace picknext
