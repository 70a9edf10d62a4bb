// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli check: does what a review packet claims still hold? And pack: writes one.
#include <memory>

#include <fmt/format.h>

#include "app/cli/condition.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/progress.hpp"
#include "core/explain/explain.hpp"
#include "core/packet/check.hpp"
#include "core/profile/changes.hpp"

namespace picknext::cli {
namespace {

using packet::Assertion;
using packet::Packet;
using packet::When;

void print_verdict(const Assertion& a, const packet::Verdict& v) {
    fmt::print("{} {}", v.holds ? "pass" : "FAIL", packet::claim(a));
    if (v.holds) {
        if (a.when == When::always || a.when == When::never) fmt::print(" ({} decisions)", v.looked_at);
    } else if (v.at != 0) {
        fmt::print(": not at decision {}", v.at);
    } else if (a.when == When::decision) {
        fmt::print(": the run has no such decision");
    } else {
        fmt::print(": at none of {} decisions", v.looked_at);
    }
    fmt::print("\n");
}

/// The decision that shows it, and which part of the condition fails there.
void print_violation(const std::shared_ptr<const Scenario>& scenario, const Assertion& a, const packet::Verdict& v) {
    fmt::print("\nFirst violated: {}\n", packet::claim(a));
    if (!a.name.empty()) fmt::print("  {}\n", a.condition);
    for (const expr::Tried& t : v.tried) {
        if (t.left.empty()) fmt::print("  column {:<4} {}\n", t.column, t.holds ? "holds" : "does not hold");
        else fmt::print("  column {:<4} {}: {}{}{}\n", t.column, t.holds ? "holds" : "does not hold", t.left, t.right.empty() ? "" : " against ", t.right);
    }
    if (v.at == 0) return;
    Timeline timeline(scenario);
    timeline.seek_decision(v.at);
    fmt::print("\n");
    print_explained(*timeline.snapshot(), false);
}

Exit check(const std::string& path, bool strict) {
    io::Report report;
    const Result<std::string> text = io::read_file(path);
    if (!text) {
        complain(text.error());
        return Exit::refused;
    }
    const Result<Packet> packet = io::read_packet(*text, path, report);
    const bool accepted = accept_report(report, strict);
    if (!packet) {
        complain(packet.error());
        return Exit::refused;
    }
    Result<Scenario> scenario = packet::scenario_under_toggles(*packet);
    if (!scenario || !accepted) return Exit::refused; // toggles were read before
    const auto run = std::make_shared<const Scenario>(std::move(*scenario));
    heed_interrupts();
    const RunLimit limit = limit_of(*run);
    Result<packet::Checked> checked = [&] {
        ProgressLine line(limit.time);
        std::stop_source stop;
        return packet::check(*packet, run, limit, stop.get_token(), [&](const State& st) {
            if (interrupted()) stop.request_stop();
            line.show(st);
        });
    }();
    if (!checked) {
        complain(option_error(path, checked.error()));
        return Exit::refused;
    }
    if (checked->cancelled) {
        fmt::print(stderr, "Interrupted: the packet was not checked to its end.\n");
        return Exit::interrupted;
    }
    fmt::print("{}\n", packet->title.empty() ? run->name : packet->title);
    for (std::size_t i = 0; i < packet->assertions.size(); ++i) print_verdict(packet->assertions[i], checked->assertions[i]);
    if (packet->digest && checked->digest_holds) fmt::print("pass digest {:016x}\n", checked->digest);
    if (!checked->digest_holds)
        fmt::print("FAIL digest: the run of {} decisions ends in {:016x}, not in {:016x}; another version may keep another state\n", checked->decisions, checked->digest, *packet->digest);
    if (const std::optional<std::size_t> first = checked->first_violated()) print_violation(run, packet->assertions[*first], checked->assertions[*first]);
    return checked->holds() ? Exit::done : Exit::no;
}

struct PackOptions {
    ScenarioChoice choice;
    std::string out, title, author;
    std::vector<std::string> toggles, always, never, sometime;
    std::optional<std::uint64_t> decision;
};

/// Adds the assertions of one option; false when a condition does not compile.
bool add_assertions(Packet& p, const Scenario& scenario, When when, const std::string& option, const std::vector<std::string>& conditions) {
    for (const std::string& text : conditions) {
        if (!compile_or_complain(option, text, scenario)) return false;
        p.assertions.push_back({.name = {}, .when = when, .condition = text});
    }
    return true;
}

/// What the decision is now is what is expected of it.
std::optional<Assertion> expected(const std::shared_ptr<const Scenario>& scenario, std::uint64_t number) {
    Timeline timeline(scenario);
    if (!timeline.seek_decision(number)) {
        fmt::print(stderr, "The run has no decision {}: it ends with decision {}.\n", number, timeline.position().decision);
        return std::nullopt;
    }
    const std::shared_ptr<const Snapshot> s = timeline.snapshot();
    Assertion a{.name = fmt::format("decision {}: {}", number, plain(explain(*scenario, s->state, s->header, s->checks).title)), .when = When::decision, .decision = number};
    a.condition = fmt::format("kind == {} && reason == \"{}\"", info(s->header.kind).name, info(s->header.reason).name);
    const auto type = info(s->header.kind).outcome;
    const std::int32_t outcome = s->header.outcome;
    if (s->header.kind == Kind::imbalance) a.condition += fmt::format(" && amount == {}", outcome);
    else if (type == OutcomeType::yes_no) a.condition += fmt::format(" && outcome == {}", outcome == 1 ? "yes" : "no");
    else if (type != OutcomeType::none && outcome < 0) a.condition += " && outcome == none";
    else if (type == OutcomeType::cpu) a.condition += fmt::format(" && outcome == cpu {}", scenario->machine.cpu(CpuId{outcome}).number);
    else if (type == OutcomeType::task) a.condition += fmt::format(" && outcome == task(\"{}\")", name_of(*scenario, s->state, TaskId{outcome}));
    else if (const TaskId task = type == OutcomeType::entity ? s->state.entity(EntityId{outcome}).task : TaskId::none(); task)
        a.condition += fmt::format(" && outcome == task(\"{}\")", name_of(*scenario, s->state, task));
    return a;
}

Exit pack(const PackOptions& options) {
    std::optional<Scenario> composed = compose_or_complain(options.choice);
    if (!composed) return Exit::refused;
    Packet p;
    p.title = options.title;
    p.author = options.author;
    p.scenario = std::move(*composed);
    if (options.decision) p.scenario.cursor_decision = *options.decision;
    p.toggles = options.toggles;
    Result<Scenario> toggled = packet::scenario_under_toggles(p);
    if (!toggled) {
        complain(option_error("--toggle", toggled.error()));
        return Exit::refused;
    }
    const auto run = std::make_shared<const Scenario>(std::move(*toggled));
    if (options.decision) {
        const std::optional<Assertion> a = expected(run, *options.decision);
        if (!a) return Exit::no;
        p.assertions.push_back(*a);
    }
    if (!add_assertions(p, *run, When::always, "--always", options.always) || !add_assertions(p, *run, When::never, "--never", options.never) ||
        !add_assertions(p, *run, When::sometime, "--sometime", options.sometime))
        return Exit::refused;
    const Result<packet::Checked> checked = packet::check(p, run, limit_of(*run));
    if (!checked) {
        complain(checked.error());
        return Exit::refused;
    }
    p.digest = checked->digest;
    if (const Result<bool> done = io::write_file(options.out, io::write_packet(p)); !done) {
        complain(done.error());
        return Exit::failed;
    }
    if (const std::optional<std::size_t> first = checked->first_violated()) {
        fmt::print(stderr, "Written, but it does not hold now: {}\n", packet::claim(p.assertions[*first]));
        return Exit::no;
    }
    return Exit::done;
}

} // namespace

void add_check(CLI::App& app, Exit& exit) {
    struct Options {
        std::string file;
        bool strict = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("check", "Run a review packet and say which of its assertions hold");
    command->add_option("PACKET", options->file, "the packet, or - for standard input")->required();
    command->add_flag("--strict", options->strict, "treat warnings as errors");
    command->footer("Exit status: 0 all hold, 1 one does not (the first violated is explained), 2 refused.\nExample:\n  picknext-cli check spread.packet.json");
    command->callback([options, &exit] { exit = check(options->file, options->strict); });
}

void add_pack(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<PackOptions>();
    CLI::App* command = app.add_subcommand("pack", "Write a review packet: a scenario, what is switched, and what is claimed of its run");
    add_scenario_options(*command, options->choice, true);
    command->add_option("--toggle", options->toggles, "settings under discussion, as --set takes them, kept apart from the scenario's; may be given again")->allow_extra_args(false);
    command->add_option("--decision", options->decision, "the decision under discussion: where the packet opens, and what it is now is expected of it")->check(CLI::PositiveNumber);
    command->add_option("--always", options->always, "a condition that is to hold at every decision; may be given again")->allow_extra_args(false);
    command->add_option("--never", options->never, "one that is to hold at none")->allow_extra_args(false);
    command->add_option("--sometime", options->sometime, "one that is to hold at one at least")->allow_extra_args(false);
    command->add_option("--title", options->title, "what it is about");
    command->add_option("--author", options->author, "who says so");
    command->add_option("-o,--output", options->out, "the file to write, or - for standard output")->required();
    command->footer("The digest of the final state is written too. Exit status 1: written, but an assertion does not hold now.\n"
                    "Example:\n  picknext-cli pack thread-2-spread-in-llc --toggle patch.lb_llc_spread=on --decision 620 -o spread.packet.json");
    command->callback([options, &exit] { exit = pack(*options); });
}

} // namespace picknext::cli
