// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 3, the mask of idle CPUs: what becomes of the mask and of a pair of tasks on a pipe, in four of its forms.
// In the mail thread the pair is stacked by a wakeup that meets its partner's CPU between dequeue and switch. Nothing can
// happen in between here, as both take no time; a visitor on the previous CPU of the woken task is the next honest cause.
// Once the visitor is gone the pair parts again, by the woken task's recently used CPU, which the mask does not govern.
#include "core/state/idle.hpp"
#include "tests/property/arms.hpp"

namespace {

using namespace picknext;

constexpr std::int64_t us = 1'000, ms = 1'000'000;
constexpr std::size_t ping = 0, pong = 1;
constexpr std::uint64_t unasked = ~0ULL;

struct Moment {
    std::int64_t at;
    std::uint64_t mask;         // bits of the four CPUs
    int pong_cpu;               // ping stays on CPU 0
};

/// The run reaches each moment as it is expected.
Engine run(const Scenario& draft, IdleMask form, std::initializer_list<Moment> moments, test::Verdicts& verdicts) {
    Engine engine(test::shared_with(draft, Patch::idle_mask, form));
    NullSink sink;
    const std::string_view name = variant_name(patch_table()[static_cast<std::size_t>(Patch::idle_mask)], static_cast<int>(form));
    for (const Moment& m : moments) {
        engine.run({.time = m.at}, sink);
        const State& st = engine.state();
        verdicts.expect(m.mask == unasked || st.llc_idle_cpus[0] == m.mask, "{} at {} ns: mask {:04b}, not {:04b}", name, m.at, st.llc_idle_cpus[0], m.mask);
        verdicts.expect(st.tasks[ping].cpu == CpuId{0} && st.tasks[pong].cpu == CpuId{m.pong_cpu}, "{} at {} ns: ping on CPU {}, pong on CPU {}, not {}",
                        name, m.at, st.tasks[ping].cpu, st.tasks[pong].cpu, m.pong_cpu);
    }
    return engine;
}

/// Placements that found no idle CPU although one idled, of all.
class BlindPlacements final : public Observer {
  public:
    void on_decision(const State& before, const DecisionHeader& h, std::span<const Check>) override {
        if (h.kind == Kind::mask && h.outcome == 1) ++set;
        if (h.kind != Kind::place) return;
        ++all;
        bool idle = false;
        for (std::size_t c = 0; c < before.cpu_count(); ++c) idle = idle || idle_cpu(before, CpuId{c});
        blind += h.reason == Reason::place_no_idle && idle;
    }
    std::int64_t all = 0, blind = 0, set = 0;
};
BlindPlacements placements(const Scenario& draft, IdleMask form) {
    BlindPlacements out;
    HeaderSink sink{&out};
    Engine engine(test::shared_with(draft, Patch::idle_mask, form));
    engine.run({.time = *draft.until_ns}, sink);
    return out;
}

} // namespace

int main() {
    test::Verdicts verdicts;
    const Scenario draft = test::shipped_scenario("thread-3-idle-mask");
    verdicts.expect(draft.settings.idle_mask() == IdleMask::draft, "it ships with the draft");

    // Each chosen CPU is cleared: 1 at the first wakeup, 0, then 2 and 3 when visitors drive pong there. No bit returns.
    run(draft, IdleMask::draft,
        {{0, 0b1111, 1}, {6 * us, 0b1101, 1}, {12 * us, 0b1100, 1}, {1999 * us, 0b1100, 1}, {2020 * us, 0b1000, 2}, {4999 * us, 0b1000, 2},
         {5020 * us, 0b0000, 3}, {7999 * us, 0b0000, 3}, {8020 * us, 0b0000, 0}, {13'999 * us, 0b0000, 0}, {14'001 * us, 0b0000, 0},
         {14'011 * us, 0b0000, 3}, {20 * ms, 0b0000, 3}},
        verdicts);
    // The same bits are cleared, but whoever goes idle sets its own: who works lacks one, CPU 1 serves again at 5 ms.
    run(draft, IdleMask::draft_fixed,
        {{0, 0b1111, 1}, {6 * us, 0b1101, 1}, {12 * us, 0b1110, 1}, {1999 * us, 0b1101, 1}, {2020 * us, 0b1100, 2}, {4999 * us, 0b1011, 2},
         {5020 * us, unasked, 1}, {8020 * us, unasked, 1}, {13'999 * us, unasked, 1}, {20 * ms, unasked, 1}},
        verdicts);
    // Only ticks clear: visitor-3 is on CPU 3 from 8 ms on, the tick at 12 ms sees it, and at 14 ms its CPU enters idle.
    run(draft, IdleMask::v2,
        {{0, 0b1111, 1}, {4999 * us, 0b1111, 2}, {8020 * us, 0b1111, 1}, {11'999 * us, 0b1111, 1}, {12'001 * us, 0b0111, 1}, {13'999 * us, 0b0111, 1},
         {14'001 * us, 0b1111, 1}, {20 * ms, 0b1111, 1}},
        verdicts);
    // Upstream has no mask: what the field holds is never read or written.
    run(draft, IdleMask::off, {{0, 0b1111, 1}, {2020 * us, 0b1111, 2}, {5020 * us, 0b1111, 1}, {8020 * us, 0b1111, 1}, {20 * ms, 0b1111, 1}}, verdicts);

    const BlindPlacements with_draft = placements(draft, IdleMask::draft);
    fmt::print("draft: {} of {} placements found no idle CPU though there was one; {} bits set\n", with_draft.blind, with_draft.all, with_draft.set);
    verdicts.expect(with_draft.blind > 500 && with_draft.set == 0, "draft: {} placements, {} blind, {} bits set", with_draft.all, with_draft.blind, with_draft.set);
    for (const IdleMask form : {IdleMask::draft_fixed, IdleMask::v2, IdleMask::off}) {
        const BlindPlacements other = placements(draft, form);
        verdicts.expect(other.blind == 0, "{} of {} placements are blind", other.blind, other.all);
    }
    // v2 and upstream decide alike: where the mask matters it holds every idle CPU.
    const auto places = [&](IdleMask form) {
        std::vector<DecisionHeader> out;
        for (const DecisionHeader& h : test::headers_of(test::with_patch(draft, Patch::idle_mask, form)))
            if (h.kind == Kind::place) out.push_back(h);
        return out;
    };
    verdicts.expect(places(IdleMask::v2) == places(IdleMask::off), "v2 places otherwise than upstream");
    return verdicts.exit_status();
}
