// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli threads: the measurements of the five mail threads, published and simulated side by side.
#include <algorithm>
#include <thread>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/cli/bench_report.hpp"
#include "app/cli/command.hpp"
#include "app/cli/progress.hpp"
#include "core/bench/redecisions.hpp"
#include "core/io/results_json.hpp"

namespace picknext::cli {
namespace {

constexpr std::uint64_t most_again = 2'000;       // decisions taken again per panel; of full runs
constexpr std::uint64_t most_again_full = 200'000;

struct Options {
    int number = 0; // 0 = all
    bool full = false;
    int jobs = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, bench::max_jobs);
    std::string format = "text";
};

std::string_view word(Kind kind) { return kind == Kind::pick ? "picks" : "placements"; }

void print_again(const bench::Panel& panel, bool full) {
    if (!panel.same) return;
    const bench::Redecisions r = bench::take_again(panel.plan, 0, 0, 1, *panel.same, full ? most_again_full : most_again);
    fmt::print("    {} of {} {} taken again under the other arm differ ({} in the run of the first point)\n", r.differ, r.again, word(*panel.same), r.of);
}

/// False when interrupted or refused; what is refused is said.
Exit show(const bench::Thread& thread, const Options& options, io::JsonValue& json) {
    Result<std::vector<bench::Panel>> panels = thread.panels(io::shipped_platforms(), options.full);
    if (!panels) {
        complain(panels.error());
        return Exit::refused;
    }
    const bool text = options.format == "text";
    if (text) fmt::print("Thread {}: {} ({}, {})\n  measured on: {}\n", thread.number, thread.title, thread.author, thread.date, thread.machine);
    io::JsonValue list = io::JsonValue::array();
    for (const bench::Panel& panel : *panels) {
        const bench::Outcome outcome = run_watched(panel.plan, options.jobs);
        const std::vector<bench::Judged> rows = bench::judge(thread.number, panel, outcome);
        if (text) {
            print_panel(panel, outcome, rows);
            if (!interrupted()) print_again(panel, options.full);
            print_incomplete(panel.plan, outcome);
        } else {
            io::JsonValue item = io::JsonValue::object();
            item.add("panel", io::JsonValue::of(std::string_view{panel.name})).add("note", io::JsonValue::of(std::string_view{panel.note}));
            item.add("published", io::published_tree(rows)).add("results", io::results_tree(panel.plan, outcome, {}, PICKNEXT_VERSION));
            list.items.push_back(std::move(item));
        }
        if (interrupted()) break;
    }
    if (text) fmt::print("\n  What the model cannot show. {}\n\n", thread.cannot_show);
    io::JsonValue item = io::JsonValue::object();
    item.add("thread", io::JsonValue::of(thread.number)).add("title", io::JsonValue::of(thread.title)).add("cannot_show", io::JsonValue::of(thread.cannot_show));
    item.add("panels", std::move(list));
    json.items.push_back(std::move(item));
    return interrupted() ? Exit::interrupted : Exit::done;
}

Exit run_threads(const Options& options) {
    io::JsonValue json = io::JsonValue::array();
    Exit exit = Exit::done;
    if (options.format == "text")
        fmt::print("Published figures of the mail threads beside simulated ones{}. Verdicts: the figure before, the figure after, and the effect of the patch. Simulated figures are medians "
                   "of the seeds, a change is the mean of the changes each seed shows. A figure agrees within 15 % (thread 1), 25 % (medians of thread 2, thread 3), "
                   "50 % (tail of thread 2), 6 percentage points (thread 4) or 10 % (thread 5).\n\n",
                   options.full ? ", at full size" : ", scaled down: loops and seconds are divided as each table says");
    for (const bench::Thread& thread : bench::threads()) {
        if (options.number != 0 && thread.number != options.number) continue;
        exit = show(thread, options, json);
        if (exit != Exit::done) break;
    }
    if (options.format == "json") {
        io::JsonValue all = io::JsonValue::object();
        all.add("format", io::JsonValue::of("picknext-results/1")).add("engine", io::JsonValue::of(PICKNEXT_VERSION)).add("full", io::JsonValue::of(options.full));
        all.add("threads", std::move(json));
        fmt::print("{}", io::json_text(all));
    }
    if (exit == Exit::interrupted) fmt::print(stderr, "Interrupted: what was done by then is printed.\n");
    return exit;
}

} // namespace

void add_threads(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("threads", "Reproduce the five mail threads: published figures beside simulated ones");
    command->add_option("N", options->number, "the thread, 1 to 5; all by default")->check(CLI::Range(1, 5));
    command->add_flag("--full", options->full, "the published sizes instead of scaled-down ones");
    command->add_option("--jobs", options->jobs, "runs at a time; results do not depend on it")->check(CLI::Range(1, bench::max_jobs))->capture_default_str();
    command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    command->footer("Verdicts: agrees (within the stated tolerance, or inside the 95 % interval), same sign, no effect found, opposite sign, differs.\n"
                    "Exit status: 0 done, whatever the verdicts, 2 refused, 3 failed, 130 interrupted.");
    command->callback([options, &exit] { exit = run_threads(*options); });
}

} // namespace picknext::cli
