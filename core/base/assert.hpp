// SPDX-License-Identifier: GPL-3.0-or-later
// Our own mistakes end the program with the condition and the values that broke it.
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace picknext {
/// Prints the sentence to stderr and aborts.
[[noreturn]] void assertion_failed(std::string_view condition, std::string_view file, int line,
                                   std::string_view context);
} // namespace picknext

/// PICKNEXT_ASSERT(cond, "fmt", values...): checked in every build type.
#define PICKNEXT_ASSERT(cond, ...)                                                                           \
    do {                                                                                                     \
        if (!(cond)) [[unlikely]]                                                                            \
            ::picknext::assertion_failed(#cond, __FILE__, __LINE__, ::fmt::format(__VA_ARGS__));             \
    } while (false)

/// The same inside measured inner loops: checked only without NDEBUG.
#ifdef NDEBUG
#define PICKNEXT_DEBUG_ASSERT(cond, ...)                                                                     \
    do {                                                                                                     \
    } while (false)
#else
#define PICKNEXT_DEBUG_ASSERT(cond, ...) PICKNEXT_ASSERT(cond, __VA_ARGS__)
#endif
