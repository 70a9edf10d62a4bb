// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/benchmark.hpp"

#include <memory>

namespace picknext::bench {
namespace {

double messages_so_far(const State& st) { return static_cast<double>(st.accounts[Tally::messages]); }
double samples_so_far(const State& st) { return static_cast<double>(st.samples.size()); }
double entries_so_far(const State& st) { return static_cast<double>(st.accounts[Tally::nohz_enters]); }

struct Meaning {
    std::string operation = "message";
    double (*done)(const State&) = &messages_so_far;
    double of = 0;
};
struct MeaningOf {
    Meaning operator()(const commands::Hackbench& t) const { return {"message", &messages_so_far, static_cast<double>(commands::messages(t))}; }
    Meaning operator()(const commands::SchedPipe& t) const {
        return {"round trip", [](const State& st) { return messages_so_far(st) / 2; }, static_cast<double>(t.run_loops)};
    }
    Meaning operator()(const commands::Schbench&) const { return {"sample", &samples_so_far}; }
    Meaning operator()(const commands::Schbench2023&) const { return {"sample", &samples_so_far}; }
    Meaning operator()(const commands::Storm&) const { return {"idle entry", &entries_so_far}; }
    Meaning operator()(const commands::KickIlb&) const { return {"idle entry", &entries_so_far}; }
    template <class Tool>
    Meaning operator()(const Tool&) const { return {}; }
};

} // namespace

Benchmark benchmark_of(commands::Benchmark read) {
    Benchmark out;
    const auto shared = std::make_shared<const commands::Benchmark>(std::move(read));
    const Meaning meaning = std::visit(MeaningOf{}, shared->tool);
    out.command = shared->command;
    out.scaling = shared->scaled;
    out.notes = shared->notes;
    out.workload = shared->workload;
    out.duration = shared->duration;
    out.figures = [shared](const State& st) { return commands::figures(*shared, st); };
    out.report = [shared](const State& st) { return commands::report(*shared, st); };
    out.operation = meaning.operation;
    out.operations = meaning.done;
    out.of = meaning.of;
    return out;
}

} // namespace picknext::bench
