// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario: everything a run follows from. Immutable once an engine was made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/costs.hpp"
#include "core/profile/profile.hpp"
#include "core/state/state.hpp"
#include "core/topology/machine.hpp"
#include "core/workload/workload.hpp"

namespace picknext {

struct Bookmark {
    std::string name;
    std::uint64_t decision = 0;  // number, 0 = none
    std::int64_t at = -1;        // ns, when no decision is given
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

struct Note {
    std::int64_t at = 0;         // ns
    std::string text;
    std::string author;
    friend bool operator==(const Note&, const Note&) = default;
};

/// What somebody does to the machine or a task from outside while it runs.
enum class EditKind : std::uint8_t {
    offline,  // the CPU goes offline
    online,   // the CPU comes online
    affinity  // sched_setaffinity of a task
};
struct Edit {
    std::int64_t at = 0;         // ns
    EditKind kind = EditKind::offline;
    CpuId cpu = {};              // offline, online
    std::int32_t task = -1;      // affinity: index of the TaskSpec,
    std::int32_t instance = 0;   // and which of its count
    CpuSet cpus = {};            // affinity; empty = all CPUs
    friend bool operator==(const Edit&, const Edit&) = default;
};

struct Scenario {
    std::string name;
    std::string description;     // what to look at, one paragraph
    std::string authors;
    std::string licence;
    Machine machine;
    Workload workload;
    Settings settings;           // resolved for this machine
    cost::CostProfile costs;     // what operations of the kernel cost; the default: nothing
    std::uint64_t seed = 1;
    std::optional<std::int64_t> until_ns;      // stop there; absent: the engine's caller decides
    std::optional<std::uint64_t> until_events;
    std::optional<std::uint64_t> cursor_decision; // where to open
    std::optional<CpuId> select_cpu;           // what to select on opening
    std::vector<Edit> edits;                   // those of one instant in this order, before all else that happens then
    std::vector<Bookmark> bookmarks;
    std::vector<Note> notes;
    std::vector<ExtraKey> extras;                 // the user's own keys of its file, but those of machine and workload
    friend bool operator==(const Scenario&, const Scenario&) = default;
};

} // namespace picknext
