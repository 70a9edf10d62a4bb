// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cpu_mask.hpp"

#include <algorithm>
#include <charconv>

#include "core/topology/machine.hpp"

namespace picknext::io {

std::vector<int> MaskBits::members() const {
    std::vector<int> out;
    for (int cpu = 0; cpu < static_cast<int>(words.size()) * 32; ++cpu)
        if (has(cpu)) out.push_back(cpu);
    return out;
}

std::optional<MaskBits> parse_mask(std::string_view text) {
    constexpr std::size_t most_words = (max_cpu_number + 1) / 32;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    MaskBits bits;
    if (text.starts_with("0xf...f")) {
        bits.infinite = true;
        text.remove_prefix(7);
        if (text.starts_with(',')) text.remove_prefix(1);
        else if (!text.empty()) return std::nullopt;
        if (text.empty()) return bits;
    }
    if (text.empty()) return std::nullopt;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        std::string_view word = text.substr(at, comma - at);
        at = comma + 1;
        if (word.starts_with("0x")) word.remove_prefix(2);
        std::uint32_t value = 0;
        if (!word.empty()) {
            const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
            if (problem != std::errc{} || end != word.data() + word.size()) return std::nullopt;
        }
        if (bits.words.size() == most_words) return std::nullopt;
        bits.words.push_back(value);
    }
    std::reverse(bits.words.begin(), bits.words.end());
    return bits;
}

} // namespace picknext::io
