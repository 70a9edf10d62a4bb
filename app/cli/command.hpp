// SPDX-License-Identifier: GPL-3.0-or-later
// What the subcommands of picknext-cli share: exit codes, and how messages reach the person.
#pragma once

#include <CLI/App.hpp>

#include "core/base/result.hpp"
#include "core/history/timeline.hpp"
#include "core/io/document.hpp"

namespace picknext::cli {

/// The answer of the program to its caller; part of the interface, see --help.
enum class Exit : int { done = 0, no = 1, refused = 2, failed = 3, interrupted = 130 };

/// A sentence on standard error.
void complain(const Error& error);

/// Prints a report on standard error. False when it holds an error, or a warning and warnings count as errors.
[[nodiscard]] bool accept_report(const io::Report& report, bool strict);

/// Flushes standard output; Exit::failed with a sentence when something could not be written (a full disk).
[[nodiscard]] Exit finish_output(Exit exit);

/// Prints the decision a snapshot stands at with its checks, as text or as one line of JSON.
void print_explained(const Snapshot& snapshot, bool json);

// Each adds one subcommand, in its own file. The chosen one runs while the arguments are parsed and leaves its answer.
void add_run(CLI::App& app, Exit& exit);
void add_why(CLI::App& app, Exit& exit);
void add_what_if(CLI::App& app, Exit& exit);
void add_compare(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit);
void add_pack(CLI::App& app, Exit& exit);
void add_validate(CLI::App& app, Exit& exit);
void add_topology(CLI::App& app, Exit& exit);
void add_costs(CLI::App& app, Exit& exit);
void add_import(CLI::App& app, Exit& exit);
void add_bench(CLI::App& app, Exit& exit);
void add_threads(CLI::App& app, Exit& exit);

} // namespace picknext::cli
