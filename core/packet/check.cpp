// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/packet/check.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace picknext::packet {
namespace {

struct Compiled {
    const Assertion* assertion = nullptr;
    expr::Expression condition;
    std::optional<expr::Expression> where;
    Verdict verdict;
    bool settled = false; // nothing later changes the verdict
};

Result<expr::Expression> compile(const std::string& text, const Scenario& scenario, std::size_t index, std::string_view key) {
    Result<expr::Expression> out = expr::Expression::compile(text, scenario);
    if (out) return out;
    Error error = out.error();
    error.place.pointer = fmt::format("/assertions/{}/{}", index, key);
    return error;
}

class Trial final : public Observer {
  public:
    Trial(const Scenario& scenario, std::vector<Compiled> all) : m_scenario(scenario), m_all(std::move(all)) {}

    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        for (Compiled& c : m_all)
            if (!c.settled) ask(c, before, header, checks);
    }
    /// The run has ended.
    [[nodiscard]] std::vector<Verdict> verdicts() {
        std::vector<Verdict> out;
        for (Compiled& c : m_all) {
            const bool to_come = c.assertion->when == When::sometime || c.assertion->when == When::decision;
            if (to_come && !c.settled) c.verdict.holds = false;
            out.push_back(std::move(c.verdict));
        }
        return out;
    }

  private:
    void ask(Compiled& c, const State& before, const DecisionHeader& header, std::span<const Check> checks) {
        const Assertion& a = *c.assertion;
        if (a.when == When::decision && before.decisions != a.decision) return;
        if (c.where && !c.where->holds(before, header, checks)) return;
        ++c.verdict.looked_at;
        const bool holds = c.condition.holds(before, header, checks);
        const bool violates = a.when == When::never ? holds : !holds;
        c.settled = a.when == When::decision || (a.when == When::sometime ? holds : violates);
        if (!violates || a.when == When::sometime) return;
        c.verdict.holds = false;
        c.verdict.at = before.decisions;
        c.verdict.tried = c.condition.tried(m_scenario, before, header, checks);
    }

    const Scenario& m_scenario;
    std::vector<Compiled> m_all;
};

} // namespace

bool Checked::holds() const {
    return !cancelled && digest_holds && std::ranges::all_of(assertions, [](const Verdict& v) { return v.holds; });
}

std::optional<std::size_t> Checked::first_violated() const {
    std::optional<std::size_t> first;
    const auto when = [&](std::size_t i) { return assertions[i].at == 0 ? UINT64_MAX : assertions[i].at; };
    for (std::size_t i = 0; i < assertions.size(); ++i)
        if (!assertions[i].holds && (!first || when(i) < when(*first))) first = i;
    return first;
}

Result<Checked> check(const Packet& packet, std::shared_ptr<const Scenario> scenario, const RunLimit& limit, std::stop_token stop, const Progress& progress) {
    std::vector<Compiled> all;
    bool needs_checks = false;
    for (std::size_t i = 0; i < packet.assertions.size(); ++i) {
        const Assertion& a = packet.assertions[i];
        Result<expr::Expression> condition = compile(a.condition, *scenario, i, "condition");
        if (!condition) return condition.error();
        Compiled compiled{&a, std::move(*condition), {}, {}};
        if (!a.where.empty()) {
            Result<expr::Expression> where = compile(a.where, *scenario, i, "where");
            if (!where) return where.error();
            compiled.where = std::move(*where);
        }
        needs_checks = needs_checks || compiled.condition.needs_checks() || (compiled.where && compiled.where->needs_checks());
        all.push_back(std::move(compiled));
    }
    Trial trial(*scenario, std::move(all));
    Engine engine(scenario);
    StopReason reason{};
    if (needs_checks) {
        FullSink sink{&trial};
        reason = engine.run(limit, sink, stop, progress);
    } else {
        HeaderSink sink{&trial};
        reason = engine.run(limit, sink, stop, progress);
    }
    Checked out;
    out.cancelled = reason == StopReason::cancelled;
    out.assertions = trial.verdicts();
    out.decisions = engine.state().decisions;
    out.digest = digest(engine.state());
    out.digest_holds = !packet.digest || *packet.digest == out.digest;
    return out;
}

} // namespace picknext::packet
