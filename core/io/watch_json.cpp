// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch_json.hpp"

#include <nlohmann/json.hpp>

#include "core/explain/explain.hpp"

namespace picknext::io {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace); }
int number_of(const Scenario& scenario, CpuId cpu) { return scenario.machine.cpu(cpu).number; }

} // namespace

std::string interval_json(const Scenario& scenario, const State& st, const watch::Interval& i) {
    return line({{"watch", "idle"}, {"idle_cpu", number_of(scenario, i.idle)}, {"task", name_of(scenario, st, i.task)},
                 {"queue_cpu", number_of(scenario, i.queue)}, {"begin_ns", i.begin}, {"end_ns", i.end}, {"cause", name_of(i.cause)}});
}

std::string wait_json(const Scenario& scenario, const State& st, const watch::Wait& w) {
    return line({{"watch", "wait"}, {"task", name_of(scenario, st, w.task)}, {"cpu", number_of(scenario, w.cpu)}, {"begin_ns", w.begin}, {"end_ns", w.end}});
}

std::string watch_summary_json(const Scenario& scenario, const State& st, const watch::Watch& watch) {
    const watch::Conservation& conservation = watch.conservation();
    const watch::Starvation& starvation = watch.starvation();
    Json causes = Json::array();
    for (const auto& [cause, total] : conservation.by_cause())
        causes.push_back({{"cause", name_of(cause)}, {"ns", total.ns}, {"stretches", total.stretches}, {"longest_ns", total.longest}, {"what", sentence(cause)}});
    Json waits = Json::array();
    for (const watch::Wait& w : starvation.longest())
        if (w.task) waits.push_back({{"task", name_of(scenario, st, w.task)}, {"ns", w.ns()}, {"cpu", number_of(scenario, w.cpu)}, {"begin_ns", w.begin}});
    Json lag = nullptr;
    if (const watch::LagSum& sum = watch.worst_lag_sum(); sum.cpu)
        lag = {{"sum", sum.sum}, {"weight", sum.weight}, {"cpu", number_of(scenario, sum.cpu)}, {"time_ns", sum.at}};
    return line({{"watch", "summary"}, {"lost_ns", conservation.lost_ns()}, {"intervals", conservation.intervals()}, {"causes", causes},
                 {"longest_waits", waits}, {"wait_limit_ns", starvation.limit()}, {"long_waits", starvation.long_waits()},
                 {"long_waits_ns", starvation.long_ns()}, {"lag_sum", lag}});
}

} // namespace picknext::io
