// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces the programs of the benchmarks are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/workload/workload.hpp"

namespace picknext::commands {

[[nodiscard]] Op run(std::int64_t ns);
[[nodiscard]] Op spin(std::int64_t ns);
[[nodiscard]] Op sleep(std::int64_t ns);
[[nodiscard]] Op sleep_between(std::int64_t low, std::int64_t high);
/// An operation on a resource: lock, barrier, sem_post, sem_wait, serve, collect ...
[[nodiscard]] Op on(OpKind kind, std::int32_t resource);
[[nodiscard]] Op read(std::int32_t channel, std::int64_t bytes);
[[nodiscard]] Op write(std::int32_t channel, std::int64_t bytes);
[[nodiscard]] Op post(std::int32_t mailbox, std::int32_t series);
[[nodiscard]] Op stamp();
[[nodiscard]] Op sample(std::int32_t series);

/// A phase; loop: rounds, or forever.
[[nodiscard]] Phase phase(std::string name, std::vector<Op> ops, std::int64_t loop = 1);
/// A task that goes through its phases once.
[[nodiscard]] TaskSpec task(std::string name, std::vector<Phase> phases);

/// Adds a resource and returns its index. initial as in ResourceSpec.
std::int32_t add_resource(Workload& workload, std::string name, ResourceKind kind, std::int64_t initial = 0);
std::int32_t add_series(Workload& workload, std::string name);

/// The samples of a series, ns.
[[nodiscard]] std::vector<std::int64_t> samples_of(const State& state, std::int32_t series);

} // namespace picknext::commands
