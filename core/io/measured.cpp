// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/measured.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/io/json_reader.hpp"

namespace picknext::io {
namespace {

using bench::Better;
using bench::Measured;

std::string_view trimmed(std::string_view s) {
    const std::size_t first = s.find_first_not_of(" \t\r"), last = s.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view{} : s.substr(first, last - first + 1);
}

/// "99.0", "99.99": as figures are named, however many zeros the tool prints.
std::string percent_text(double percent) {
    std::string out = fmt::format("{}", percent);
    return out.find('.') == std::string::npos ? out + ".0" : out;
}

/// The whole text is a decimal number, at least 0.
std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0) return std::nullopt;
    return value;
}
/// The number the text begins with, up to a blank.
std::optional<double> first_number(std::string_view text) {
    text = trimmed(text);
    return number(text.substr(0, text.find_first_of(" \t,")));
}
/// The word before `what`: "2" of "with 2 groups using" for " groups".
std::string_view word_before(std::string_view line, std::string_view what) {
    const std::size_t at = line.find(what);
    if (at == std::string_view::npos) return {};
    const std::string_view before = line.substr(0, at);
    const std::size_t blank = before.find_last_of(" \t");
    return blank == std::string_view::npos ? before : before.substr(blank + 1);
}
std::optional<std::string_view> behind(std::string_view line, std::string_view what) {
    const std::size_t at = line.find(what);
    if (at == std::string_view::npos) return std::nullopt;
    return trimmed(line.substr(at + what.size()));
}

/// Reads line after line, whatever tool each is of.
class Reader {
  public:
    void line(std::string_view raw) {
        const std::string_view l = trimmed(raw);
        if (l.starts_with("Running in ") && l.find(" mode with ") != std::string_view::npos) {
            m_tool = "hackbench";
            m_point = fmt::format("g={}", word_before(l, " groups"));
        } else if (l.starts_with("# ") && l.find(" groups == ") != std::string_view::npos) {
            m_tool = "perf bench sched messaging";
            m_point = fmt::format("g={}", word_before(l, " groups"));
        } else if (l.starts_with("# Executed ") && l.find(" pipe operations") != std::string_view::npos) {
            m_tool = "perf bench sched pipe";
            m_point.clear();
        } else if (const auto time = behind(l, "Time: "); time && l.starts_with("Time: ")) {
            add("hackbench", m_point, "time", "s", Better::lower, first_number(*time));
        } else if (const auto total = behind(l, "Total time:"); total && l.starts_with("Total time:")) {
            add(m_tool.empty() ? "perf bench" : m_tool, m_point, "time", "s", Better::lower, first_number(*total));
        } else if (l.ends_with(" usecs/op")) {
            add(m_tool, {}, "usecs/op", "us/op", Better::lower, first_number(l));
        } else if (l.ends_with(" ops/sec")) {
            add(m_tool, {}, "ops/sec", "1/s", Better::higher, first_number(l));
        } else {
            schbench(l);
        }
    }
    std::vector<Measured> take() {
        end_block();
        return std::move(m_found);
    }

  private:
    void add(std::string_view tool, std::string_view point, std::string_view metric, std::string_view unit, Better better, std::optional<double> value) {
        if (!value) return;
        for (Measured& m : m_found)
            if (m.tool == tool && m.point == point && m.metric == metric) {
                m.values.push_back(*value);
                return;
            }
        m_found.push_back({std::string(tool), std::string(point), std::string(metric), std::string(unit), better, {*value}});
    }

    /// The blocks of schbench: a heading, percentiles, then least and most. The newer one prints three kinds again and
    /// again: of each the last counts.
    void schbench(std::string_view l) {
        if (l.starts_with("Latency percentiles (usec)")) {
            end_block();
            begin_block({}, "us", Better::lower, false);
        } else if (l.starts_with("Wakeup Latencies percentiles (usec)")) {
            begin_block("wakeup ", "us", Better::lower, true);
        } else if (l.starts_with("Request Latencies percentiles (usec)")) {
            begin_block("request ", "us", Better::lower, true);
        } else if (l.starts_with("RPS percentiles")) {
            begin_block("rps ", "requests/s", Better::higher, true);
        } else if (const auto rps = behind(l, "average rps:"); rps && l.starts_with("average rps:")) {
            add("schbench", {}, "average rps", "requests/s", Better::higher, first_number(*rps));
            end_block();
        } else if (m_in_block) {
            percentile(l);
        }
    }
    void percentile(std::string_view l) {
        if (l.starts_with('*')) l = trimmed(l.substr(1));
        if (const auto value = behind(l, "th:")) {
            const std::optional<double> percent = number(l.substr(0, l.find("th:")));
            if (percent) keep(fmt::format("p{}", percent_text(*percent)), first_number(*value));
            return;
        }
        const auto least = behind(l, "min="), most = behind(l, "max=");
        if (least) keep("min", first_number(*least));
        if (most) keep("max", first_number(*most));
        if (most && !m_repeated) end_block();
    }
    void begin_block(std::string_view prefix, std::string_view unit, Better better, bool repeated) {
        m_prefix = prefix;
        m_unit = unit;
        m_better = better;
        m_repeated = repeated;
        m_in_block = true;
    }
    void keep(std::string_view metric, std::optional<double> value) {
        if (!value) return;
        const std::string name = m_prefix + std::string(metric);
        for (Measured& m : m_block)
            if (m.metric == name) {
                m.values = {*value};
                return;
            }
        m_block.push_back({"schbench", {}, name, m_unit, m_better, {*value}});
    }
    void end_block() {
        for (const Measured& m : m_block) add(m.tool, m.point, m.metric, m.unit, m.better, m.values.front());
        m_block.clear();
        m_in_block = false;
    }

    std::vector<Measured> m_found, m_block;
    std::string m_tool, m_point, m_prefix, m_unit;
    Better m_better = Better::lower;
    bool m_in_block = false, m_repeated = false;
};

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

constexpr std::array<std::string_view, 2> better_words{"lower", "higher"};

/// A line "name,unit,better,value,...": nothing if it does not look like one.
bool is_table(std::string_view line) {
    std::size_t commas = 0;
    for (const char c : line) commas += c == ',' ? 1 : 0;
    return commas >= 3;
}
Result<Measured> table_row(std::string_view line, Place place) {
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        fields.push_back(trimmed(line.substr(at, end - at)));
        at = end + 1;
    }
    Measured out{"table", {}, std::string(fields[0]), std::string(fields[1]), Better::lower, {}};
    const auto word = std::find(better_words.begin(), better_words.end(), fields[2]);
    if (word == better_words.end())
        return Error{"E-ENUM", place, fmt::format("\"{}\" is not lower or higher; a row is name,unit,better,value[,value...]", fields[2])};
    out.better = static_cast<Better>(word - better_words.begin());
    for (std::size_t i = 3; i < fields.size(); ++i) {
        const std::optional<double> value = number(fields[i]);
        if (!value) return Error{"E-RANGE", place, fmt::format("\"{}\" is no number", fields[i])};
        out.values.push_back(*value);
    }
    return out;
}
Result<std::vector<Measured>> table(const std::vector<std::string_view>& lines, const std::string& name) {
    std::vector<Measured> out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = trimmed(lines[i]);
        if (line.empty() || line.starts_with('#') || (i == 0 && line.starts_with("name,"))) continue;
        const Place place{name, static_cast<int>(i) + 1, 1, {}};
        if (!is_table(line)) return Error{"E-FORMAT", place, "this row has fewer than four fields; a row is name,unit,better,value[,value...]"};
        Result<Measured> row = table_row(line, place);
        if (!row) return row.error();
        out.push_back(std::move(*row));
    }
    return out;
}

/// schbench -j: {"int": {"wakeup_latency_pct99.0": 4728, ...}}.
std::vector<Measured> schbench_json(const JsonValue& root) {
    std::vector<Measured> out;
    for (const JsonMember& part : root.members) {
        if (part.key != "int") continue;
        for (const JsonMember& m : part.value.members) {
            const std::string_view key = m.key;
            const bool latency = key.find("_latency_") != std::string_view::npos;
            if ((!latency && !key.starts_with("rps_")) || m.value.kind != JsonValue::Kind::integer || m.value.integer < 0) continue;
            const std::string_view of = key.substr(0, key.find('_')), which = key.substr(key.find_last_of('_') + 1); // "wakeup", "pct99.0"
            const std::optional<double> percent = which.starts_with("pct") ? number(which.substr(3)) : std::nullopt;
            const std::string metric = fmt::format("{} {}", of, percent ? "p" + percent_text(*percent) : std::string(which));
            out.push_back({"schbench", {}, metric, latency ? "us" : "requests/s", latency ? Better::lower : Better::higher, {static_cast<double>(m.value.integer)}});
        }
    }
    return out;
}

} // namespace

Result<std::vector<Measured>> read_measured(std::string_view text, const std::string& name, Report& report) {
    const std::string_view whole = trimmed(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
    std::vector<Measured> out;
    const std::vector<std::string_view> lines = lines_of(whole);
    const auto first = std::find_if(lines.begin(), lines.end(), [](std::string_view l) { return !trimmed(l).empty() && !l.starts_with('#'); });
    if (whole.starts_with('{')) {
        const Source source(name, text);
        Result<JsonValue> root = parse_json(source, report);
        if (!root) return root.error();
        out = schbench_json(*root);
    } else if (const std::optional<double> one = number(whole)) { // perf bench --format=simple
        out.push_back({"perf bench", {}, "time", "s", Better::lower, {*one}});
    } else if (first != lines.end() && is_table(*first) && first->find(':') == std::string_view::npos) {
        return table(lines, name);
    } else {
        Reader reader;
        for (const std::string_view line : lines) reader.line(line);
        out = reader.take();
    }
    if (out.empty())
        return Error{"E-FORMAT", Place{name, 0, 0, {}},
                     "no line is of hackbench, perf bench sched messaging or pipe, or schbench, and it is no table name,unit,better,value[,value...]"};
    return out;
}

} // namespace picknext::io
