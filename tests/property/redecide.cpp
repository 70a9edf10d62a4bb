// SPDX-License-Identifier: GPL-3.0-or-later
// A decision taken again under its own settings is the same decision, with the same checks.
#include <algorithm>
#include <array>

#include "core/engine/engine.hpp"
#include "core/engine/plan.hpp"
#include "core/redecide/redecide.hpp"
#include "tests/property/property.hpp"

namespace {

using namespace picknext;

/// The first check that differs, as it is again and as it was.
std::string first_other(std::span<const Check> again, std::span<const Check> was) {
    const auto [a, b] = std::ranges::mismatch(again, was);
    if (a == again.end() || b == was.end()) return fmt::format("{} against {}", again.size(), was.size());
    return fmt::format("{} of {}: {} {} against {} {} {}", info(a->id).name, a->subject, a->left, a->right, info(b->id).name, b->left, b->right);
}

class Again final : public Observer {
  public:
    explicit Again(const Scenario& scenario)
        : m_machine(scenario.machine), m_domains(m_machine, scenario.settings.kernel) {}

    void on_decision(const State& before, const DecisionHeader& h, std::span<const Check> checks) override {
        const bool covered = h.kind == Kind::pick || h.kind == Kind::place || h.kind == Kind::balance || h.kind == Kind::busiest ||
                             h.kind == Kind::imbalance || h.kind == Kind::queue || h.kind == Kind::nohz_kick;
        const auto again = redecide(before, h, before.settings, m_machine, m_domains.at(before));
        if (!covered) {
            if (again) wrong = fmt::format("{} was taken again", info(h.kind).name);
            return;
        }
        ++asked[static_cast<std::size_t>(h.kind)];
        if (!again) {
            // What moves for its affinity was not placed by a wakeup.
            refused += h.site == Site::around_pinned;
            if (h.site != Site::around_pinned && h.reason != Reason::place_affinity && h.reason != Reason::place_widened)
                wrong = fmt::format("{} {} at {} cannot be taken again", info(h.kind).name, info(h.reason).name, h.at);
            return;
        }
        if (again->outcome != h.outcome || again->reason != h.reason || (h.kind == Kind::pick && again->path != h.path))
            wrong = fmt::format("{} at {} is {} again, not {}", info(h.kind).name, h.at, info(again->reason).name, info(h.reason).name);
        else if (!std::ranges::equal(again->checks, checks))
            wrong = fmt::format("{} {} at {}: other checks: {}", info(h.kind).name, info(h.reason).name, h.at, first_other(again->checks, checks));
    }
    std::string wrong;
    std::array<std::int64_t, kind_count> asked = {};
    std::int64_t refused = 0;

  private:
    const Machine& m_machine;
    engine::DomainsInForce m_domains;
};

} // namespace

int main(int argc, char** argv) {
    std::array<std::int64_t, kind_count> asked = {};
    std::int64_t refused = 0;
    const int status = test::for_each_seed(argc, argv, 60, [&](std::uint64_t, const Scenario& random) -> std::string {
        Again again(random);
        FullSink sink{&again};
        Engine engine(std::make_shared<const Scenario>(random));
        while (again.wrong.empty() && engine.next_event_time() <= *random.until_ns && engine.step(sink)) {}
        for (std::size_t k = 0; k < kind_count; ++k) asked[k] += again.asked[k];
        refused += again.refused;
        return again.wrong;
    });
    for (std::size_t k = 0; k < kind_count; ++k)
        if (asked[k] > 0) fmt::print("{}: {}\n", kind_table()[k].name, asked[k]);
    fmt::print("around pinned tasks: {}\n", refused);
    return status;
}
