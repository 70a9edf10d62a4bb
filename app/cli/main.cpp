// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli: runs scenarios and answers questions about them without a window.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.hpp"

namespace {

using picknext::cli::Exit;

constexpr const char* examples =
    "Examples:\n"
    "  picknext-cli run                                   the shipped default scenario, as a summary\n"
    "  picknext-cli run three-nice-levels --log switches --until 50ms\n"
    "  picknext-cli run --workload web.json --topology laptop.xml --kernel cfs-6.1\n"
    "  picknext-cli run three-nice-levels --log decisions --format jsonl > run.jsonl\n"
    "  picknext-cli run short-and-long-slice --break \"kind == pick && path == slow\"\n"
    "  picknext-cli why three-nice-levels --decision 42\n"
    "  picknext-cli what-if node-of-24 --until 10ms       which settings would have decided otherwise, and how often\n"
    "  picknext-cli compare thread-2-spread-in-llc --b patch.lb_llc_spread=on\n"
    "  picknext-cli check spread.packet.json              do the assertions of a review packet hold?\n"
    "  picknext-cli topology show --this-machine\n"
    "  picknext-cli costs show kunpeng920-node            what operations cost there, and how that is known\n"
    "  picknext-cli import rt-app.json -o scenario.json\n"
    "  picknext-cli bench 'hackbench -p -T -l 200' --sweep g=2..8:2 --b patch.idle_mask=v2 --repeat 5\n"
    "  picknext-cli threads 2                             a mail thread's published figures beside simulated ones\n"
    "\n"
    "Exit status:\n"
    "  0    done\n"
    "  1    the answer is no (there is no such decision, or none where the condition holds; compared runs differ;\n"
    "       an assertion of a packet does not hold)\n"
    "  2    input or arguments were refused; standard error says what, where and how to mend it\n"
    "  3    output could not be written, or an error of the program itself\n"
    "  130  interrupted; what was done is printed\n";

/// A broken assertion has said what broke; the exit status tells scripts apart from refused input.
extern "C" void on_abort(int /*signal*/) { std::_Exit(static_cast<int>(Exit::failed)); }

int run(int argc, char** argv) {
    CLI::App app{"Simulates decisions of the Linux fair scheduler and says why they fall.", "picknext-cli"};
    app.set_version_flag("--version", "picknext-cli " PICKNEXT_VERSION);
    app.set_help_all_flag("--help-all", "Print this help of all subcommands and exit");
    app.require_subcommand(0, 1);
    app.footer(examples);
    Exit exit = Exit::done;
    picknext::cli::add_run(app, exit);
    picknext::cli::add_why(app, exit);
    picknext::cli::add_what_if(app, exit);
    picknext::cli::add_compare(app, exit);
    picknext::cli::add_pack(app, exit);
    picknext::cli::add_check(app, exit);
    picknext::cli::add_validate(app, exit);
    picknext::cli::add_topology(app, exit);
    picknext::cli::add_costs(app, exit);
    picknext::cli::add_import(app, exit);
    picknext::cli::add_bench(app, exit);
    picknext::cli::add_threads(app, exit);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            std::fputs(app.help().c_str(), stderr);
            exit = Exit::refused;
        }
    } catch (const CLI::ParseError& e) {
        const bool asked = app.exit(e) == 0; // --help and --version come this way too
        exit = asked ? Exit::done : Exit::refused;
    }
    return static_cast<int>(picknext::cli::finish_output(exit));
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGABRT, on_abort);
    try {
        return run(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "picknext-cli: %s\n", e.what());
        return static_cast<int>(Exit::failed);
    }
}
