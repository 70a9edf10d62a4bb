// SPDX-License-Identifier: GPL-3.0-or-later
// A decision taken again under its own settings is the same decision, with the same checks.
#include <algorithm>
#include <array>

#include "core/engine/engine.hpp"
#include "core/engine/plan.hpp"
#include "core/redecide/redecide.hpp"
#include "tests/property/property.hpp"
#include "tests/property/random_topology.hpp"

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
        const auto again = redecide(before, h, checks, before.settings, m_machine, m_domains.at(before));
        if (!taken_again(h.kind)) {
            if (again) wrong = fmt::format("{} was taken again", info(h.kind).name);
            return;
        }
        ++asked[static_cast<std::size_t>(h.kind)];
        if (!again) {
            if (unknown(h)) ++refused[static_cast<std::size_t>(h.kind)];
            else wrong = fmt::format("{} {} at {} cannot be taken again", info(h.kind).name, info(h.reason).name, h.at);
            return;
        }
        if (again->outcome != h.outcome || again->reason != h.reason || (h.kind == Kind::pick && again->path != h.path))
            wrong = fmt::format("{} at {} is {} again, not {}", info(h.kind).name, h.at, info(again->reason).name, info(h.reason).name);
        else if (!std::ranges::equal(again->checks, checks))
            wrong = fmt::format("{} {} at {}: other checks: {}", info(h.kind).name, info(h.reason).name, h.at, first_other(again->checks, checks));
    }
    std::string wrong;
    std::array<std::int64_t, kind_count> asked = {};
    std::array<std::int64_t, kind_count> refused = {};

  private:
    static bool taken_again(Kind kind) {
        switch (kind) {
        case Kind::pick: case Kind::place: case Kind::preempt: case Kind::tick: case Kind::balance: case Kind::busiest: case Kind::imbalance:
        case Kind::queue: case Kind::detach: case Kind::active: case Kind::newidle: case Kind::nohz_kick: case Kind::mask: case Kind::queue_wakeup:
            return true;
        default: return false;
        }
    }
    /// What the record does not tell: which CPUs are left out around pinned tasks; that what moves for its affinity was not placed by a
    /// wakeup; where a task goes that nobody is asked to enqueue.
    static bool unknown(const DecisionHeader& h) {
        return h.site == Site::around_pinned || h.reason == Reason::place_affinity || h.reason == Reason::place_widened || h.reason == Reason::queue_wakeup_off;
    }

    const Machine& m_machine;
    engine::DomainsInForce m_domains;
};

} // namespace

int main(int argc, char** argv) {
    std::array<std::int64_t, kind_count> asked = {};
    std::array<std::int64_t, kind_count> refused = {};
    const int status = test::for_each_seed(argc, argv, 60, [&](std::uint64_t seed, Scenario random) -> std::string {
        if (seed % 2 == 0) test::put_on_machine(random, testing::random_topology(seed), seed);
        random.settings.set(Patch::idle_mask, static_cast<int>(seed % 9)); // every form of it
        random.settings.set(Feature::next_buddy, seed % 2 == 0);
        Again again(random);
        FullSink sink{&again};
        Engine engine(std::make_shared<const Scenario>(random));
        while (again.wrong.empty() && engine.next_event_time() <= *random.until_ns && engine.step(sink)) {}
        for (std::size_t k = 0; k < kind_count; ++k) {
            asked[k] += again.asked[k];
            refused[k] += again.refused[k];
        }
        return again.wrong;
    });
    for (std::size_t k = 0; k < kind_count; ++k)
        if (asked[k] > 0) fmt::print("{}: {}, not known {}\n", kind_table()[k].name, asked[k], refused[k]);
    return status;
}
