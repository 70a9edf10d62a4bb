// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/rows.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

namespace picknext {
namespace {

constexpr std::string_view search_step = "P5"; // the mark of checks made at a visited node

/// What follows from an answer in that place, and why a check did not arise. Checks without a row just have numbers.
struct Consequence {
    Chk id;
    std::string_view yes, no, not_asked;
};
constexpr std::array consequences{
    Consequence{Chk::only_entity, "take it", "", ""},
    Consequence{Chk::buddy_eligible, "take it", "go on", "no next buddy"},
    Consequence{Chk::current_eligible, "considered", "not considered", "no current task on the queue"},
    Consequence{Chk::current_protected, "it goes on", "not protected", "no current left after P2"},
    Consequence{Chk::leftmost_eligible, "take it", "search", "the tree is empty"},
    Consequence{Chk::left_subtree_eligible, "go left", "", "no left subtree"},
    Consequence{Chk::node_eligible, "best", "go right", ""},
    Consequence{Chk::node_earlier_deadline, "best so far", "", ""},
    Consequence{Chk::current_earlier_deadline, "current wins", "best stays", "no current left after P2"},
    Consequence{Chk::leftmost_first, "current is first", "leftmost is first", "no current task on the queue"},
    Consequence{Chk::skip_second, "take the second", "keep the first", "nobody is to be skipped"},
    Consequence{Chk::buddy_close_enough, "take it", "too far behind", "no buddy"},
    Consequence{Chk::delayed_picked, "dequeue it, pick again", "", ""},
    Consequence{Chk::queue_empty, "go idle", "", ""},
    Consequence{Chk::same_task, "nothing to switch", "switch", ""},
    Consequence{Chk::short_slice, "", "protection stays", ""},
    Consequence{Chk::pick_is_wakee, "preempt", "go on", ""},
    Consequence{Chk::beyond_granularity, "preempt", "go on", ""},
    Consequence{Chk::deadline_reached, "new slice", "go on", ""},
    Consequence{Chk::slice_exceeded, "reschedule", "", ""},
    Consequence{Chk::min_granularity_reached, "", "go on", ""},
    Consequence{Chk::lag_exceeded, "reschedule", "go on", ""},
    Consequence{Chk::sleeper_eligible, "leaves now", "stays queued", ""},
    Consequence{Chk::yielder_eligible, "v := d", "", ""},
    Consequence{Chk::pool_covers_overrun, "goes on", "throttle it", ""},
    Consequence{Chk::given_covers_overrun, "comes back", "stays throttled", ""},
    Consequence{Chk::period_begins_soon, "leave it", "", ""},
    Consequence{Chk::slack_above_slice, "hand it out", "leave it", ""},
};

const Consequence* consequence_of(Chk id) {
    for (const Consequence& c : consequences)
        if (c.id == id) return &c;
    return nullptr;
}

/// In 6.6 the tree is sorted by vruntime: what is not eligible has everything eligible to its left.
std::string_view follows(const Moment& m, const Check& check) {
    const Consequence* c = consequence_of(check.id);
    if (c == nullptr) return {};
    if (check.id == Chk::node_eligible && m.settings().kernel == Kernel::eevdf_6_6)
        return check.verdict == Verdict::yes ? "" : "go left";
    return check.verdict == Verdict::yes ? c->yes : c->no;
}

std::string_view symbol(Relation relation, bool holds) {
    switch (relation) {
    case Relation::equal: return holds ? "=" : "\u2260";
    case Relation::less: return holds ? "<" : "\u2265";
    case Relation::less_equal: return holds ? "\u2264" : ">";
    case Relation::greater: return holds ? ">" : "\u2264";
    case Relation::greater_equal: return holds ? "\u2265" : "<";
    case Relation::none: break;
    }
    return ",";
}

bool is_constant(std::string_view word) { return word == "one" || word == "zero" || word == "1"; }

/// Three decimals, or all six where three would hide a difference.
int decimals_for(std::int64_t a, std::int64_t b) { return a != b && ms_text(a) == ms_text(b) ? 6 : 3; }

std::string value_text(const Moment& m, Unit unit, std::int64_t value, int decimals) {
    switch (unit) {
    case Unit::vtime: return ms_text(VTime{static_cast<std::uint64_t>(value)} - m.zero, decimals);
    case Unit::ns: return ms_length(value, decimals);
    case Unit::cpu: return cpu_text(m.scenario, CpuId{static_cast<std::int32_t>(value)});
    case Unit::task: return name_of(m.scenario, m.st, TaskId{static_cast<std::int32_t>(value)});
    case Unit::entity: return name_of(m.scenario, m.st, EntityId{static_cast<std::int32_t>(value)});
    case Unit::count:
    case Unit::weight:
    case Unit::load:
    case Unit::flag: return grouped(value);
    }
    return {};
}

std::int64_t difference(const Check& c) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(c.left) - static_cast<std::uint64_t>(c.right));
}

/// The answer depends on how far apart two times are.
bool has_margin(const ChkInfo& row, const Check& c) {
    return (row.unit == Unit::vtime || row.unit == Unit::ns) && row.relation != Relation::none &&
           row.relation != Relation::equal && (c.verdict == Verdict::yes || c.verdict == Verdict::no);
}

std::string subject_text(const Moment& m, const ChkInfo& row, std::int32_t subject) {
    switch (row.subject) {
    case SubjectType::task: return name_of(m.scenario, m.st, TaskId{subject});
    case SubjectType::cpu: return cpu_text(m.scenario, CpuId{subject});
    case SubjectType::entity: return name_of(m.scenario, m.st, EntityId{subject});
    case SubjectType::queue: return fmt::format("queue {}", subject);
    case SubjectType::none: break;
    }
    return {};
}

std::string question_text(const Moment& m, const ChkInfo& row, std::int32_t subject) {
    const std::size_t at = row.question.find("{}");
    if (at == std::string_view::npos) return std::string(row.question);
    std::string out(row.question.substr(0, at));
    if (subject >= 0) {
        out += subject_text(m, row, subject);
    } else if (out.ends_with(' ')) {
        out.pop_back(); // nobody to name: "Current eligible?"
    }
    out += row.question.substr(at + 2);
    return out;
}

std::string why_not_asked(const Moment& m, const ChkInfo& row) {
    if (const auto feature = find_feature(row.governed); feature && !m.settings().on(*feature))
        return fmt::format("{} is off", row.governed);
    if (const auto patch = find_patch(row.governed); patch && m.settings().patch(*patch) <= 0)
        return fmt::format("{} is off", row.governed);
    const Consequence* c = consequence_of(row.id);
    return std::string(c != nullptr && !c->not_asked.empty() ? c->not_asked : "not asked");
}

std::string_view verdict_text(Verdict v) {
    switch (v) {
    case Verdict::yes: return "\u2713 yes";
    case Verdict::no: return "\u2717 no";
    case Verdict::not_asked: return "\u2013 n/a";
    case Verdict::noted: return "\u00b7 noted";
    }
    return {};
}

/// 1 to 20 in a circle, then in parentheses.
std::string circled(std::size_t n) {
    if (n < 1 || n > 20) return fmt::format("({})", n);
    return {'\xe2', '\x91', static_cast<char>(0x9f + n)};
}

/// Numbers the nodes a search visits: the checks made at one node share its number.
class NodeCounter {
  public:
    std::size_t at(std::int32_t subject) {
        if (m_count == 0 || subject != m_node) ++m_count;
        m_node = subject;
        return m_count;
    }
    [[nodiscard]] std::size_t count() const { return m_count; }

  private:
    std::size_t m_count = 0;
    std::int32_t m_node = -1;
};

} // namespace

std::string values_text(const Moment& m, const Check& c) {
    const ChkInfo& row = info(c.id);
    if (is_constant(row.right)) return fmt::format("{} {}", row.left, value_text(m, row.unit, c.left, 3));
    const bool noted = c.verdict == Verdict::noted;
    const std::string_view relation = symbol(noted ? Relation::none : row.relation, c.verdict == Verdict::yes);
    const bool times = row.unit == Unit::vtime || row.unit == Unit::ns;
    if (row.right == "V" || row.right == "reference") { // the right value is itself the zero of the line
        const int decimals = decimals_for(difference(c), 0);
        const std::string left = ms_text(difference(c), decimals);
        if (noted) return fmt::format("{} \u2212 {} = {}", row.left, row.right, left);
        return row.left == "v" ? fmt::format("v \u2212 V = {} {} 0", left, relation) : fmt::format("{} {} {} 0", row.left, left, relation);
    }
    const int decimals = times ? decimals_for(c.left, c.right) : 3;
    return fmt::format("{} {}{}{} {} {}", row.left, value_text(m, row.unit, c.left, decimals), relation == "," ? "" : " ", relation,
                       row.right, value_text(m, row.unit, c.right, decimals));
}

std::vector<ExplainedCheck> check_rows(const Moment& m) {
    std::vector<ExplainedCheck> rows;
    rows.reserve(m.checks.size());
    NodeCounter nodes;
    for (const Check& c : m.checks) {
        const ChkInfo& row = info(c.id);
        ExplainedCheck out;
        out.step = std::string(row.step);
        if (row.step == search_step) out.step += circled(nodes.at(c.subject));
        out.question = question_text(m, row, c.subject);
        if (c.verdict == Verdict::not_asked) {
            out.inputs = why_not_asked(m, row);
        } else {
            out.inputs = values_text(m, c);
            if (const std::string_view then = c.verdict == Verdict::noted ? "" : follows(m, c); !then.empty())
                out.inputs += fmt::format(" \u2192 {}", then);
        }
        out.verdict = std::string(verdict_text(c.verdict));
        out.function = row.function.empty() ? "" : fmt::format("{}()", row.function);
        out.governed = std::string(row.governed);
        out.deciding = &c == m.deciding();
        out.has_margin = has_margin(row, c);
        out.margin = out.has_margin ? difference(c) : 0;
        out.check = c;
        rows.push_back(std::move(out));
    }
    return rows;
}

std::size_t visited_nodes(const Moment& m) {
    NodeCounter nodes;
    for (const Check& c : m.checks)
        if (info(c.id).step == search_step) nodes.at(c.subject);
    return nodes.count();
}

} // namespace picknext
