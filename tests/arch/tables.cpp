// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind, reason and check has one row, in order, with its words.
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/trace/decision.hpp"
#include "core/trace/recorder.hpp"

namespace picknext {
namespace {

class Findings {
  public:
    void expect(bool good, std::string_view row, std::string_view what) {
        if (good) return;
        fmt::print("{}: {}\n", row, what);
        ++m_count;
    }
    [[nodiscard]] int count() const { return m_count; }

  private:
    int m_count = 0;
};

bool is_sentence(std::string_view text) { return text.size() > 2 && (text.back() == '.' || text.back() == '?'); }

std::size_t placeholders(std::string_view text) {
    std::size_t n = 0;
    for (std::size_t at = text.find("{}"); at != text.npos; at = text.find("{}", at + 2)) ++n;
    return n;
}

void check_kinds(Findings& found) {
    found.expect(kind_table().size() == kind_count, "kinds", "as many rows as enumerators");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kind_table().size(); ++i) {
        const KindInfo& row = kind_table()[i];
        found.expect(static_cast<std::size_t>(row.id) == i, row.name, "in the place of its enumerator");
        found.expect(!row.name.empty() && names.insert(row.name).second, row.name, "a name of its own");
        found.expect(!row.function.empty(), row.name, "names the kernel function");
        found.expect(is_sentence(row.what), row.name, "says what is decided, in a sentence");
    }
}

void check_reasons(Findings& found) {
    found.expect(reason_table().size() == reason_count, "reasons", "as many rows as enumerators");
    std::set<std::string_view> names;
    std::set<std::string_view> kinds_met;
    for (std::size_t i = 0; i < reason_table().size(); ++i) {
        const ReasonInfo& row = reason_table()[i];
        found.expect(static_cast<std::size_t>(row.id) == i, row.name, "in the place of its enumerator");
        found.expect(!row.name.empty() && names.insert(row.name).second, row.name, "a name of its own");
        if (row.id == Reason::none) continue;
        found.expect(is_sentence(row.sentence), row.name, "has a sentence");
        found.expect(placeholders(row.sentence) == 0, row.name, "its sentence has no placeholder");
        kinds_met.insert(row.name.substr(0, row.name.find('.')));
    }
    for (const KindInfo& kind : kind_table()) {
        found.expect(kinds_met.erase(kind.name) == 1, kind.name, "has a reason \"kind.reason\"");
    }
    for (std::string_view rest : kinds_met) found.expect(false, rest, "reasons of a kind that there is not");
}

void check_checks(Findings& found) {
    found.expect(chk_table().size() == chk_count, "checks", "as many rows as enumerators");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < chk_table().size(); ++i) {
        const ChkInfo& row = chk_table()[i];
        found.expect(static_cast<std::size_t>(row.id) == i, row.name, "in the place of its enumerator");
        found.expect(!row.name.empty() && names.insert(row.name).second, row.name, "a name of its own");
        found.expect(row.question.size() > 2, row.name, "has a question");
        found.expect(placeholders(row.question) <= 1, row.name, "at most one place for a subject in its question");
        found.expect(row.subject != SubjectType::none || placeholders(row.question) == 0, row.name, "no subject, no place for one");
        found.expect(row.unit == unit_of(row.id), row.name, "the unit of unit_of()");
        found.expect(!row.left.empty(), row.name, "says what its left value is");
        found.expect(row.relation == Relation::none || row.unit == Unit::flag || !row.right.empty(), row.name, "says what it compares with");
        found.expect(!row.function.empty(), row.name, "names the kernel function");
    }
}

} // namespace

int check_tables() {
    Findings found;
    check_kinds(found);
    check_reasons(found);
    check_checks(found);
    return found.count();
}

} // namespace picknext

int main() { return picknext::check_tables() == 0 ? 0 : 1; }
