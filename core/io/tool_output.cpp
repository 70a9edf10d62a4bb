// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tool_output.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/io/json_reader.hpp"

namespace picknext::io {
namespace {

using commands::Better;
using commands::Measured;

std::string_view trimmed(std::string_view s) {
    const std::size_t first = s.find_first_not_of(" \t\r"), last = s.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view{} : s.substr(first, last - first + 1);
}
std::string_view first_word(std::string_view s) {
    s = trimmed(s);
    return s.substr(0, s.find_first_of(" \t"));
}
/// The first word of an enumeration: without the comma behind it.
std::string_view first_of_several(std::string_view s) {
    const std::string_view word = first_word(s);
    return word.ends_with(',') ? word.substr(0, word.size() - 1) : word;
}
/// What stands behind `mark`, if the line holds it.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    return line.substr(at + mark.size());
}
/// A decimal number, finite and at least 0.
std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (text.empty() || problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0) return std::nullopt;
    return value;
}
/// "p99.0" for 99.0, 99 or 99.0000, as figures are named.
std::string percentile_name(double percent) {
    const std::string digits = fmt::format("{}", percent);
    return "p" + digits + (digits.find('.') == std::string::npos ? ".0" : "");
}

/// Puts values of one figure together.
class Figures {
  public:
    void add(Measured one) {
        for (Measured& m : m_all)
            if (m.tool == one.tool && m.point == one.point && m.metric == one.metric) {
                m.values.insert(m.values.end(), one.values.begin(), one.values.end());
                return;
            }
        m_all.push_back(std::move(one));
    }
    [[nodiscard]] std::vector<Measured> take() { return std::move(m_all); }

  private:
    std::vector<Measured> m_all;
};

/// The blocks of one run of schbench; a later block of a kind replaces the earlier one.
class SchbenchRun {
  public:
    struct Kind {
        std::string_view heading, prefix, unit;
        Better better;
    };
    static constexpr std::array kinds{Kind{"Latency percentiles (usec)", "", "us", Better::lower},
                                      Kind{"Wakeup Latencies percentiles (usec)", "wakeup ", "us", Better::lower},
                                      Kind{"Request Latencies percentiles (usec)", "request ", "us", Better::lower},
                                      Kind{"RPS percentiles (requests)", "rps ", "requests/s", Better::higher}};

    /// A block begins. False if it cannot belong to the run so far: its runtime (0 = not said) is not past that of the block before.
    bool begin(std::size_t kind, double runtime) {
        if (m_begun[kind] && runtime <= m_runtime[kind]) return false;
        m_begun[kind] = true;
        m_runtime[kind] = runtime;
        m_current = kind;
        m_inside = true;
        std::erase_if(m_figures, [&](const auto& f) { return f.first == kind; });
        return true;
    }
    [[nodiscard]] bool inside() const { return m_inside; }
    void leave() { m_inside = false; }
    void keep(std::string_view metric, double value) {
        const Kind& k = kinds[m_current];
        m_figures.push_back({m_current, {"schbench", {}, fmt::format("{}{}", k.prefix, metric), std::string{k.unit}, k.better, {value}}});
    }
    void end(Figures& to) {
        std::stable_sort(m_figures.begin(), m_figures.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [kind, figure] : m_figures) to.add(std::move(figure));
        *this = {};
    }

  private:
    std::vector<std::pair<std::size_t, Measured>> m_figures;
    std::array<bool, kinds.size()> m_begun{};
    std::array<double, kinds.size()> m_runtime{};
    std::size_t m_current = 0;
    bool m_inside = false;
};

/// Reads line after line, whatever tool each is of.
class LineReader {
  public:
    LineReader(const std::string& name, Report& report) : m_name(name), m_report(report) {}

    void line(std::string_view raw, int number_of_line) {
        m_line = number_of_line;
        const std::string_view l = trimmed(raw);
        if (l.empty() || heading(l) || value(l) || schbench(l)) return;
        if (m_ignored++ == 0) m_first_ignored = number_of_line;
        m_run.leave();
    }
    std::vector<Measured> take() {
        m_run.end(m_figures);
        if (m_ignored > 0) {
            m_report.push_back({Severity::note, "N-IGNORED", Place{m_name, m_first_ignored, 1, {}}, "this line is of no tool that is known; it was ignored", 1});
            if (m_ignored > 1) m_report.back().text = fmt::format("this line and {} more are of no tool that is known; they were ignored", m_ignored - 1);
        }
        return m_figures.take();
    }

  private:
    /// Lines that say what follows.
    bool heading(std::string_view l) {
        const auto groups = [&](std::string_view before_count) {
            const auto rest = behind(l, before_count);
            return rest ? fmt::format("g={}", first_word(*rest)) : std::string{};
        };
        if (l.starts_with("Running in ") && l.find(" mode with ") != std::string_view::npos) {
            begin("hackbench", groups(" mode with "));
        } else if (l.starts_with("# Running '")) {
            const std::string_view which = l.substr(11);
            begin(which.starts_with("sched/messaging'") ? "perf bench sched messaging" : which.starts_with("sched/pipe'") ? "perf bench sched pipe" : "", {});
            return !m_tool.empty();
        } else if (l.starts_with("# ") && l.find(" groups == ") != std::string_view::npos) {
            begin("perf bench sched messaging", groups("# "));
        } else if (l.starts_with("# Executed ") && l.find(" pipe operations between ") != std::string_view::npos) {
            begin("perf bench sched pipe", {});
        } else {
            return l.starts_with("Each sender will pass ") || (l.starts_with("# ") && l.find(" sender and receiver ") != std::string_view::npos);
        }
        return true;
    }
    void begin(std::string_view tool, std::string point) {
        m_tool = tool;
        m_point = std::move(point);
        m_run.leave();
    }

    /// Lines with the figure of hackbench or perf bench.
    bool value(std::string_view l) {
        if (l.starts_with("Time:")) return add("hackbench", "time", "s", Better::lower, first_word(l.substr(5)));
        if (l.starts_with("Total time:")) return add(m_tool.empty() ? "perf bench" : m_tool, "time", "s", Better::lower, first_word(l.substr(11)));
        if (l.ends_with(" usecs/op")) return add("perf bench sched pipe", "usecs/op", "us/op", Better::lower, first_word(l));
        if (l.ends_with(" ops/sec")) return add("perf bench sched pipe", "ops/sec", "1/s", Better::higher, first_word(l));
        if (const auto simple = number(l); simple && l.find('.') != std::string_view::npos) return add("perf bench", "time", "s", Better::lower, l);
        return false;
    }
    bool add(std::string_view tool, std::string_view metric, std::string_view unit, Better better, std::string_view text) {
        if (const auto v = readable(text)) m_figures.add({std::string{tool}, m_point, std::string{metric}, std::string{unit}, better, {*v}});
        return true;
    }
    std::optional<double> readable(std::string_view text) {
        const std::optional<double> v = number(text);
        if (!v) m_report.push_back({Severity::warning, "W-UNREADABLE", Place{m_name, m_line, 1, {}}, fmt::format("\"{}\" is no number; this line was left out", text), 1});
        return v;
    }

    bool schbench(std::string_view l) {
        for (std::size_t kind = 0; kind < SchbenchRun::kinds.size(); ++kind) {
            if (!l.starts_with(SchbenchRun::kinds[kind].heading)) continue;
            const auto runtime = behind(l, "runtime ");
            const double seconds = runtime ? number(first_word(*runtime)).value_or(0) : 0;
            if (!m_run.begin(kind, seconds)) {
                m_run.end(m_figures);
                m_run.begin(kind, seconds);
            }
            return true;
        }
        if (l.starts_with("average rps:")) {
            m_run.end(m_figures);
            m_point.clear();
            return add("schbench", "average rps", "requests/s", Better::higher, first_word(l.substr(12)));
        }
        if (l.starts_with("current rps:") || l.starts_with("sched delay:") || l.starts_with("warmup done") || l.starts_with("final rps goal")) return true;
        return m_run.inside() && figure(l);
    }
    /// "* 99.0th: 12816 (17 samples)" or "Over=0, min=2, max=13229".
    bool figure(std::string_view l) {
        if (l.starts_with('*')) l = trimmed(l.substr(1));
        if (const auto value_text = behind(l, "th:")) {
            const auto percent = readable(l.substr(0, l.find("th:")));
            const auto v = readable(first_word(*value_text));
            if (percent && v) m_run.keep(percentile_name(*percent), *v);
            return true;
        }
        const auto least = behind(l, "min="), most = behind(l, "max=");
        if (!least || !most) return false;
        if (const auto v = readable(first_of_several(*least))) m_run.keep("min", *v);
        if (const auto v = readable(first_of_several(*most))) m_run.keep("max", *v);
        return true;
    }

    const std::string& m_name;
    Report& m_report;
    Figures m_figures;
    SchbenchRun m_run;
    std::string m_tool, m_point;
    int m_line = 0, m_first_ignored = 0, m_ignored = 0;
};

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> out;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(at, from), text.size());
        out.push_back(trimmed(text.substr(from, end - from)));
        from = end + 1;
    }
    return out;
}

constexpr std::string_view row_shape = "a row is name,unit,better,value[,value...], better being lower or higher";
bool is_row(std::string_view line) {
    const std::vector<std::string_view> fields = split(line, ',');
    return fields.size() >= 3 && (fields[2] == "lower" || fields[2] == "higher" || fields[2] == "better");
}
Result<std::vector<Measured>> table(const std::vector<std::string_view>& lines, const std::string& name) {
    Figures out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || lines[i].starts_with('#')) continue;
        const Place place{name, static_cast<int>(i) + 1, 1, {}};
        const std::vector<std::string_view> fields = split(lines[i], ',');
        if (fields.size() >= 3 && fields[0] == "name" && fields[2] == "better") continue; // its heading
        if (fields.size() < 4) return Error{"E-TABLE", place, fmt::format("this row has {} of at least 4 fields; {}", fields.size(), row_shape)};
        if (fields[0].empty()) return Error{"E-TABLE", place, fmt::format("this row has no name; {}", row_shape)};
        if (fields[2] != "lower" && fields[2] != "higher") return Error{"E-ENUM", place, fmt::format("\"{}\" is not lower or higher; {}", fields[2], row_shape)};
        Measured row{"table", {}, std::string{fields[0]}, std::string{fields[1]}, fields[2] == "lower" ? Better::lower : Better::higher, {}};
        for (std::size_t f = 3; f < fields.size(); ++f) {
            const std::optional<double> v = number(fields[f]);
            if (!v) return Error{"E-NUMBER", place, fmt::format("field {}, \"{}\", is no number; {}", f + 1, fields[f], row_shape)};
            row.values.push_back(*v);
        }
        out.add(std::move(row));
    }
    return out.take();
}

/// schbench -j: {"int": {"wakeup_latency_pct99.0": 4728, "rps_max": 114, ...}}; all else (host, command) is left.
std::vector<Measured> schbench_json(const JsonValue& root) {
    Figures out;
    for (const JsonMember& part : root.members) {
        if (part.key != "int") continue;
        for (const JsonMember& m : part.value.members) {
            const std::string_view key = m.key;
            const bool latency = key.find("_latency_") != std::string_view::npos;
            if ((!latency && !key.starts_with("rps_")) || m.value.kind != JsonValue::Kind::integer || m.value.integer < 0) continue;
            const std::string_view what = key.substr(0, key.find('_')), which = key.substr(key.rfind('_') + 1);
            const std::optional<double> percent = which.starts_with("pct") ? number(which.substr(3)) : std::nullopt;
            out.add({"schbench", {}, fmt::format("{} {}", what, percent ? percentile_name(*percent) : std::string{which}), latency ? "us" : "requests/s",
                     latency ? Better::lower : Better::higher, {static_cast<double>(m.value.integer)}});
        }
    }
    return out.take();
}

} // namespace

Result<std::vector<Measured>> read_tool_output(std::string_view text, const std::string& name, Report& report) {
    const Source source(name, text);
    const Result<std::size_t> mark = check_encoding(source);
    if (!mark) return mark.error();
    const std::string_view body = text.substr(*mark);
    const std::vector<std::string_view> lines = split(body, '\n');
    const auto first = std::find_if(lines.begin(), lines.end(), [](std::string_view l) { return !l.empty() && !l.starts_with('#'); });
    std::vector<Measured> out;
    if (first != lines.end() && first->starts_with('{')) {
        const Result<JsonValue> root = parse_json(source, report);
        if (!root) return root.error();
        out = schbench_json(*root);
    } else if (first != lines.end() && is_row(*first)) {
        return table(lines, name);
    } else {
        LineReader reader(name, report);
        for (std::size_t i = 0; i < lines.size(); ++i) reader.line(lines[i], static_cast<int>(i) + 1);
        out = reader.take();
    }
    if (out.empty())
        return Error{"E-FORMAT", Place{name, 1, 1, {}},
                     fmt::format("there is no result of hackbench, perf bench sched messaging or pipe, or schbench in it; of another tool make a table: {}", row_shape)};
    return out;
}

} // namespace picknext::io
