// SPDX-License-Identifier: GPL-3.0-or-later
// CPU sets as hwloc and Linux masks write them: "0x000000ff,,0x0000ffff", 32 bits a word, the most significant first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace picknext::io {

struct MaskBits {
    std::vector<std::uint32_t> words; // least significant first
    bool infinite = false;            // "0xf...f" in front: every higher CPU too

    [[nodiscard]] bool has(int cpu) const {
        const auto word = static_cast<std::size_t>(cpu / 32);
        return word < words.size() ? ((words[word] >> (cpu % 32)) & 1U) != 0 : infinite;
    }
    /// The finite members, ascending.
    [[nodiscard]] std::vector<int> members() const;
};

/// Nothing if the text is no such set, or names CPUs above max_cpu_number. "0x" may be missing, as in /sys.
[[nodiscard]] std::optional<MaskBits> parse_mask(std::string_view text);

} // namespace picknext::io
