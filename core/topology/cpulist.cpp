// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/cpulist.hpp"

#include <algorithm>
#include <charconv>

#include "core/topology/machine.hpp"

namespace picknext {
namespace {

/// Reads from the front of a text.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : m_rest(text) {}
    [[nodiscard]] bool at_end() const { return m_rest.empty(); }
    bool take(char c) {
        if (m_rest.empty() || m_rest.front() != c) return false;
        m_rest.remove_prefix(1);
        return true;
    }
    /// A number of digits only; false if there is none or it does not fit.
    bool number(int& value) {
        if (m_rest.empty() || m_rest.front() < '0' || m_rest.front() > '9') return false;
        const auto [end, problem] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        if (problem != std::errc{}) value = max_cpu_number + 1;
        return true;
    }

  private:
    std::string_view m_rest;
};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace

Result<std::vector<int>> parse_cpulist(std::string_view text) {
    const auto fault = [&](std::string_view code, std::string message) {
        return Error{std::string{code}, Place{}, fmt::format("\"{}\": {}", text.substr(0, 80), message)};
    };
    std::vector<bool> members;
    Scanner scan(trimmed(text));
    while (!scan.at_end()) {
        int first = 0;
        if (!scan.number(first)) return fault("E-CPULIST", "no list of CPUs; write it like \"0-3,8\"");
        int last = first;
        int used = 1;
        int group = 1;
        if (scan.take('-') && !scan.number(last)) return fault("E-CPULIST", "a number is missing after \"-\"");
        if (scan.take(':') && !(scan.number(used) && scan.take('/') && scan.number(group)))
            return fault("E-CPULIST", "a stride is written \":used/group\"");
        if (first > max_cpu_number || last > max_cpu_number)
            return fault("E-RANGE", fmt::format("CPU numbers go up to {}", max_cpu_number));
        if (last < first) return fault("E-RANGE", fmt::format("the range {}-{} runs backwards", first, last));
        if (used < 1 || group < 1 || used > group) return fault("E-RANGE", fmt::format("the stride :{}/{} makes no sense", used, group));
        if (members.size() <= static_cast<std::size_t>(last)) members.resize(static_cast<std::size_t>(last) + 1);
        for (int cpu = first; cpu <= last; ++cpu)
            if ((cpu - first) % group < used) members[static_cast<std::size_t>(cpu)] = true;
        if (!scan.at_end() && !(scan.take(',') && !scan.at_end())) return fault("E-CPULIST", "CPUs are separated by commas");
    }
    std::vector<int> out;
    for (std::size_t cpu = 0; cpu < members.size(); ++cpu)
        if (members[cpu]) out.push_back(static_cast<int>(cpu));
    return out;
}

} // namespace picknext
