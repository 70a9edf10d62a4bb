// SPDX-License-Identifier: GPL-3.0-or-later
// A key of the user's own in a native file: one that begins with x-. It means nothing here and is written back.
#pragma once

#include <string>

namespace picknext {

struct ExtraKey {
    std::string object; // JSON pointer of the object that holds it, relative to the description it belongs to
    std::string key;    // "x-..."
    std::string json;   // its value
    friend bool operator==(const ExtraKey&, const ExtraKey&) = default;
};

} // namespace picknext
