// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/duration.hpp"

#include <array>

#include <fmt/format.h>

#include "core/base/assert.hpp"

namespace picknext {
namespace {

struct Unit {
    std::string_view name;
    int digits; // of nanoseconds: the unit is 10^digits ns
};
constexpr std::array units{Unit{"s", 9}, Unit{"ms", 6}, Unit{"us", 3}, Unit{"ns", 0}};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr std::int64_t power_of_ten(int n) {
    std::int64_t p = 1;
    for (int i = 0; i < n; ++i) p *= 10;
    return p;
}
Error fault(std::string code, std::string message) { return Error{std::move(code), Place{}, std::move(message)}; }

} // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
    const auto too_long = [&] { return fault("E-RANGE", fmt::format("\"{}\" is longer than {}", text, write_duration(longest_duration))); };
    if (!text.empty() && text.front() == '-') return fault("E-RANGE", fmt::format("\"{}\" is negative", text));
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::string_view whole = text.substr(0, end);
    std::string_view fraction;
    if (end < text.size() && text[end] == '.') {
        const std::size_t point = ++end;
        while (end < text.size() && is_digit(text[end])) ++end;
        fraction = text.substr(point, end - point);
        if (fraction.empty()) whole = {};
    }
    if (whole.empty()) return fault("E-DURATION", fmt::format("\"{}\" is no duration; write it like \"250us\" or \"1.5ms\"", text));
    const std::string_view name = text.substr(end);
    int digits = -1;
    for (const Unit& unit : units)
        if (unit.name == name) digits = unit.digits;
    if (whole.find_first_not_of('0') == std::string_view::npos && fraction.empty() && name.empty()) return std::int64_t{0};
    if (digits < 0)
        return fault("E-UNIT", name.empty() ? fmt::format("\"{}\" has no unit; write ns, us, ms or s behind it", text)
                                            : fmt::format("\"{}\" ends in no unit of time; ns, us, ms and s are", text));
    while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
    if (fraction.size() > static_cast<std::size_t>(digits))
        return fault("E-RANGE", fmt::format("\"{}\" is finer than a nanosecond", text));
    std::int64_t value = 0;
    const auto append = [&](int digit) {
        if (value > (longest_duration - digit) / 10) return false;
        value = value * 10 + digit;
        return true;
    };
    for (const char c : whole)
        if (!append(c - '0')) return too_long();
    for (int i = 0; i < digits; ++i)
        if (!append(static_cast<std::size_t>(i) < fraction.size() ? fraction[static_cast<std::size_t>(i)] - '0' : 0)) return too_long();
    return value;
}

std::string write_duration(std::int64_t ns) {
    if (ns == 0) return "0s";
    for (const Unit& unit : units) {
        const std::int64_t size = power_of_ten(unit.digits);
        if (ns < size) continue;
        if (ns % size == 0) return fmt::format("{}{}", ns / size, unit.name);
        std::string fraction = fmt::format("{:0{}}", ns % size, unit.digits);
        fraction.erase(fraction.find_last_not_of('0') + 1);
        return fmt::format("{}.{}{}", ns / size, fraction, unit.name);
    }
    PICKNEXT_ASSERT(false, "negative duration {}", ns);
    return {};
}

} // namespace picknext
