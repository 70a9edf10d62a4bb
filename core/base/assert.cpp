// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace picknext {

void assertion_failed(std::string_view condition, std::string_view file, int line, std::string_view context) {
    fmt::print(stderr, "picknext: internal error: {}:{}: `{}` does not hold: {}\n", file, line, condition, context);
    std::fflush(stderr);
    std::abort();
}

} // namespace picknext
