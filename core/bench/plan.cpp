// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/plan.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace picknext::bench {
namespace {

Error wrong(std::string code, std::size_t at, std::string message) { return {std::move(code), Place{{}, 1, static_cast<int>(at) + 1, {}}, std::move(message)}; }

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "2..14:2", from position `at` of the whole text.
Result<std::vector<std::string>> range(std::string_view text, std::size_t at) {
    const std::size_t dots = text.find(".."), colon = std::min(text.find(':', dots), text.size());
    const std::optional<std::int64_t> from = whole(text.substr(0, dots)), to = whole(text.substr(dots + 2, colon - dots - 2));
    const std::optional<std::int64_t> step = colon == text.size() ? std::optional<std::int64_t>{1} : whole(text.substr(colon + 1));
    if (!from || !to || !step) return wrong("E-USAGE", at, fmt::format("\"{}\" is no range of whole numbers; write 2..14:2", text));
    if (*step < 1) return wrong("E-RANGE", at + colon + 1, "the step of a range is at least 1");
    if (*from > *to) return wrong("E-RANGE", at, "a range goes from the lower number to the higher");
    if (static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(*from) >= static_cast<std::uint64_t>(*step) * max_points)
        return wrong("E-LIMIT", at, fmt::format("at most {} points are possible", max_points));
    std::vector<std::string> out;
    for (std::int64_t i = 0, n = (*to - *from) / *step; i <= n; ++i) out.push_back(std::to_string(*from + i * *step));
    return out;
}

} // namespace

Scenario scenario_of(const Plan& plan, std::size_t cell, std::size_t arm, int repeat) {
    const Benchmark& benchmark = plan.cells[cell].benchmark;
    Scenario s;
    s.name = plan.arms.size() > 1 ? fmt::format("{}, {}", benchmark.command, plan.arms[arm].name) : benchmark.command;
    s.description = benchmark.scaling;
    s.machine = plan.machine;
    s.workload = benchmark.workload;
    s.settings = plan.arms[arm].settings;
    s.costs = plan.costs;
    s.seed = plan.seed + static_cast<std::uint64_t>(repeat);
    s.until_ns = benchmark.duration.value_or(longest_run);
    return s;
}

Result<Sweep> read_sweep(std::string_view text) {
    const std::size_t equals = text.find('=');
    std::string_view option = text.substr(0, equals);
    while (option.starts_with('-')) option.remove_prefix(1);
    if (equals == std::string_view::npos || option.empty()) return wrong("E-USAGE", 0, fmt::format("\"{}\" is no option and values; write g=2..14:2 or g=1,2,4", text));
    const std::string_view values = text.substr(equals + 1);
    Sweep out{std::string(option), {}};
    if (values.find("..") != std::string_view::npos) {
        Result<std::vector<std::string>> numbers = range(values, equals + 1);
        if (!numbers) return numbers.error();
        out.values = std::move(*numbers);
        return out;
    }
    for (std::size_t at = 0; at <= values.size();) {
        const std::size_t end = std::min(values.find(',', at), values.size());
        if (end == at) return wrong("E-USAGE", equals + 1 + at, "a value is missing here; write g=2..14:2 or g=1,2,4");
        out.values.emplace_back(values.substr(at, end - at));
        at = end + 1;
    }
    if (out.values.size() > max_points) return wrong("E-LIMIT", equals + 1, fmt::format("{} points; at most {} are possible", out.values.size(), max_points));
    return out;
}

Reader reader_of(commands::BenchmarkOptions options) {
    return [options](const std::string& command, const Machine& machine) -> Result<Benchmark> {
        Result<commands::Benchmark> read = commands::read_benchmark(command, machine, options);
        if (!read) return read.error();
        return benchmark_of(std::move(*read));
    };
}

Result<std::vector<Cell>> cells_of(const std::string& command, const Sweep* sweep, const Machine& machine, const Reader& read) {
    std::vector<Cell> out;
    const auto add = [&](std::string label, const std::string& text) -> std::optional<Error> {
        Result<Benchmark> benchmark = read(text, machine);
        if (!benchmark) return benchmark.error();
        out.push_back({std::move(label), std::move(*benchmark)});
        return std::nullopt;
    };
    if (sweep == nullptr) {
        if (std::optional<Error> error = add("", command)) return *std::move(error);
        return out;
    }
    for (const std::string& value : sweep->values) {
        const Result<std::string> text = commands::with_option(command, sweep->option, value);
        if (!text) return text.error();
        if (std::optional<Error> error = add(fmt::format("{}={}", sweep->option, value), *text)) return *std::move(error);
    }
    return out;
}

} // namespace picknext::bench
