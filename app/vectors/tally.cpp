// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/tally.hpp"

#include <fmt/format.h>

namespace picknext::vectors {

std::string sentence(const Difference& d) { return fmt::format("{} is {}, expected {}", d.field, d.got, d.expected); }

} // namespace picknext::vectors
