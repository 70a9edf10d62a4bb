// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include <fmt/format.h>

#include "app/vectors/case_scene.hpp"
#include "app/vectors/format.hpp"
#include "core/fair/reweight.hpp"
#include "core/fair/views.hpp"

namespace picknext::vectors {

namespace {

constexpr std::int64_t base_slice = 3'000'000; // ns, of all these cases

Comparison compare(const Case& c, const Settings& settings) {
    Scene scene = case_scene(settings, c);
    State& st = scene.st;
    for (Entity& e : st.entities) e.slice = static_cast<std::uint64_t>(base_slice);
    st.now = st.rq(the_cpu).clock = c.number("dt"); // the running one was charged at 0
    const VTime z{static_cast<std::uint64_t>(c.number("z"))};
    const auto average = [&] { return fair::average_vruntime(st.settings, st, QueueId{0}) - z; };

    const std::int64_t before = average();
    const EntityId changed = scene.entity(c["i"].number());
    fair::reweight_entity(st, changed, Weight{c["w"].pattern() << 10});
    const Entity& e = st.entity(changed);
    const std::array<std::int64_t, 6> got{before, e.vruntime - z, e.deadline - z, st.root_queue(the_cpu).ref - z, average(),
                                          st.rq(the_cpu).need_resched};
    constexpr std::array names{"V before", "vruntime", "deadline", "the reference", "V after", "the request to reschedule"};
    Comparison result;
    for (std::size_t i = 0; i < got.size(); ++i) result.expect(c["r"][i].number(), got[i], [&] { return std::string(names[i]); });
    return result;
}

} // namespace

void check_reweight_cases(const Value& file, Tally& tally) {
    Settings settings = default_settings(kernel_of(file["kernel"].text()), 1);
    settings[Tunable::base_slice] = base_slice;
    const Value::List& cases = file["cases"].list();
    for (std::size_t i = 0; i < cases.size(); ++i)
        tally.add(compare(Case(cases[i], file["defaults"]), settings), [&] { return fmt::format("case {}", i); });
}

} // namespace picknext::vectors
