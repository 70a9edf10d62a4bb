// SPDX-License-Identifier: GPL-3.0-or-later
// "generators" of workload/1: benchmarks named as a whole. They are expanded when a file is read, and written as they were given.
#pragma once

#include "core/io/json_node.hpp"
#include "core/topology/machine.hpp"
#include "core/workload/workload.hpp"

namespace picknext::io {

/// Expands each generator of the list and adds it to the workload. A generator is {"command": LINE}, or {"kind": KIND} with the
/// parameters of that kind, which stand for options of the command of the same meaning.
/// Errors: E-GENERATOR (neither or both, or a parameter of another kind), those of the readers, and those of commands::read_benchmark
/// with the column in the command. What a command says besides becomes a note N-COMMAND.
void add_generated(const JsonNode& list, const Machine& machine, Workload& to);

/// The list as it is written.
[[nodiscard]] JsonValue tree_of(const Generated& generated);

} // namespace picknext::io
