// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody probably meant who wrote a word that is not known.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace picknext {

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b; letter case does not count.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to the given one (the first of equals), or empty when none is near enough to guess.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// "; did you mean \"x\"?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

} // namespace picknext
