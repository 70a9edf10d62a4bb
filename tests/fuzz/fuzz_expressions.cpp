// SPDX-License-Identifier: GPL-3.0-or-later
// Random bytes, random words and mutated expressions: none may crash or throw; a refusal has a code, a sentence and a column
// inside the text or one past its end; what is accepted gives the same answer twice and allocates nothing while it does.
// Usage: test_fuzz_expressions [inputs [seed]].
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/expr/completions.hpp"
#include "core/expr/expression.hpp"
#include "core/expr/place.hpp"
#include "tests/fuzz/dice.hpp"
#include "tests/support/small_scenario.hpp"

namespace {
std::size_t allocations = 0;
}
void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace picknext;
using test::Dice;

namespace {

const std::vector<std::string> good{
    "cpu==3 && kind==pick && path==slow", "task(\"T1\").vlag < 0", "reason == \"place.scan_idle\" || reason == place.no_idle",
    "outcome == cpu 2", "task(\"w*\").vruntime - task(\"T1\").vruntime > 2ms", "rq(3).nr_running >= 2 && rq(cpu).curr == task",
    "group(\"/web\").weight * 2 > 100 % 7", "now >= 12.5ms && now in 1us-2s, 5ms", "decision > 40 && decision % 7 == -3 + 10 / (event - 2)",
    "checks contains left_subtree_eligible && check(leftmost_eligible).margin < -1us", "deciding == only_entity", "cpu in {0-1,3}",
    "any(cpu in 0-2, rq(cpu).nr_running == 0 && !cpu.idle)", "all(task in \"w#?\", any(cpu, task.cpu == cpu))", "kind in pick, place, tick",
    "mask(nohz) contains cpu 2 || mask(llc 0) contains task.cpu", "task.cpus_ptr contains 1", "llc 0.has_idle_cores || outcome == yes || outcome == none",
    "task.policy == idle && task.state != dead && outcome.nice < 19", "!(amount < 0) && (((switches + wakeups) * 3 > ticks))"};

constexpr std::array<std::string_view, 64> words{
    "cpu", "task", "kind", "reason", "path", "outcome", "now", "decision", "checks", "deciding", "amount", "level", "rq", "group", "llc", "mask", "check", "any", "all",
    "(", ")", "{", "}", ",", ".", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "!", "+", "-", "*", "/", "%", "in", "contains", "0", "1", "3", "9223372036854775807",
    "5ms", "0.25us", "1s", "\"T1\"", "\"w*\"", "\"/web\"", "\"place.*\"", "pick", "slow", "yes", "none", "nohz", "vlag", "vruntime", "nr_running", "curr", "leftmost_eligible", "\"", "\xc3\xa9"};

std::string random_bytes(Dice& dice) {
    std::string text(dice.below(60), ' ');
    for (char& c : text) c = static_cast<char>(dice.below(256));
    return text;
}
std::string random_words(Dice& dice) {
    std::string text;
    for (std::size_t n = dice.below(24); n > 0; --n) {
        text += words[dice.below(words.size())];
        if (dice.below(4) != 0) text += ' ';
    }
    return text;
}
std::string mutated(Dice& dice) {
    std::string text = good[dice.below(good.size())];
    for (std::size_t n = dice.below(4); n > 0; --n) {
        const std::size_t at = text.empty() ? 0 : dice.below(text.size());
        switch (dice.below(7)) {
        case 0: text.insert(at, words[dice.below(words.size())]); break;
        case 1: text.erase(at, 1 + dice.below(6)); break;
        case 2:
            if (!text.empty()) text[at] = static_cast<char>(dice.below(256));
            break;
        case 3: text = text.substr(0, at); break;
        case 4: text.insert(at, text.substr(at, dice.below(30))); break;
        case 5: text += (dice.below(2) == 0 ? " && " : " || ") + good[dice.below(good.size())]; break;
        default: text.replace(at, std::min<std::size_t>(dice.below(6), text.size() - at), words[dice.below(words.size())]);
        }
    }
    return text;
}

struct Moment {
    State st;
    DecisionHeader header;
    std::vector<Check> checks;
};
class Keep final : public Observer {
  public:
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        if (before.decisions % 5 == 1) moments.push_back({before, header, {checks.begin(), checks.end()}});
    }
    std::vector<Moment> moments;
};

Scenario scenario() {
    TaskSpec web = test::sleeper("w", 700'000, 1'300'000);
    web.count = 3;
    web.group = "/web";
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(4), {test::hog("T1", 0), test::hog("T2", 5), web});
    s.workload.groups.push_back({"/web", 2048});
    return s;
}

void require(bool fine, const char* what) {
    if (!fine) throw std::string(what);
}

/// True when the text is accepted.
bool look_at(const std::string& text, const Scenario& s, const std::vector<Moment>& moments, Dice& dice) {
    const int end = expr::column_at(text, text.size());
    const int column = 1 + static_cast<int>(dice.below(static_cast<std::size_t>(end)));
    const expr::Completions c = expr::completions(text, column, s);
    require(c.from >= 1 && c.from <= column, "completions replace what lies beyond the column");
    for (const expr::Candidate& one : c.candidates) require(!one.text.empty() && !one.meaning.empty(), "a candidate without text or meaning");

    const expr::Want want = dice.below(4) == 0 ? expr::Want::value : expr::Want::condition;
    const Result<expr::Expression> e = expr::Expression::compile(text, s, want);
    if (!e) {
        const Error& error = e.error();
        require(error.code.starts_with("E-") && error.message.size() > 5, "a refusal without code or sentence");
        require(error.place.line == 1 && error.place.column >= 1 && error.place.column <= end, "a column outside the text");
        return false;
    }
    const Moment& m = moments[dice.below(moments.size())];
    const std::size_t before = allocations;
    const expr::Value first = e->value(m.st, m.header, m.checks);
    const expr::Value again = e->value(m.st, m.header, m.checks);
    const expr::Value bare = e->value(m.st, m.header, {});
    const std::size_t allocated = allocations - before;
    require(allocated == 0, "evaluating allocates");
    require(first == again, "two answers to one question");
    require(e->needs_checks() || bare == first, "looks at checks, but does not say so");
    require(want == expr::Want::value || (first.has && first.v != 0) == e->holds(m.st, m.header, m.checks), "holds() and value() differ");
    for (const expr::Tried& t : e->tried(s, m.st, m.header, m.checks))
        require(t.column >= 1 && t.length >= 1 && t.column + t.length <= end, "a condition outside the text");
    require(!expr::value_text(s, m.st, e->type(), first).empty(), "a value without words");
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t inputs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto shared = test::shared(scenario());
    Engine engine(shared);
    Keep keep;
    FullSink sink{&keep};
    while (engine.next_event_time() <= 20'000'000 && engine.step(sink)) {}

    Dice dice(seed);
    std::size_t accepted = 0;
    for (std::size_t i = 0; i < inputs + good.size(); ++i) {
        const bool whole = i < good.size(); // first each as it is
        const std::size_t kind = dice.below(8);
        const std::string text = whole ? good[i] : kind == 0 ? random_bytes(dice) : kind < 3 ? random_words(dice) : mutated(dice);
        try {
            const bool good_one = look_at(text, *shared, keep.moments, dice);
            if (whole && !good_one) throw "a good expression is refused: " + expr::Expression::compile(text, *shared).error().text();
            accepted += good_one ? 1 : 0;
        } catch (const std::string& what) {
            std::fprintf(stderr, "seed %llu, input %zu: %s\n%s\n", static_cast<unsigned long long>(seed), i, what.c_str(), text.c_str());
            return 1;
        } catch (const std::exception& e) {
            std::fprintf(stderr, "seed %llu, input %zu: an exception came out: %s\n%s\n", static_cast<unsigned long long>(seed), i, e.what(), text.c_str());
            return 1;
        }
    }
    std::printf("%zu inputs, %zu accepted, %zu moments\n", inputs, accepted, keep.moments.size());
    return 0;
}
