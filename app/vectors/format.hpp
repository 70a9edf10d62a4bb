// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of vector files. To add one: a check function in its own file and a row in format.cpp.
#pragma once

#include <string>
#include <string_view>

#include "app/vectors/tally.hpp"
#include "app/vectors/value.hpp"

namespace picknext::vectors {

struct Format {
    std::string_view kind;                          // see kind_of
    void (*check)(const Value& file, Tally& tally); // throws Malformed
};

/// What a file says it is: its "kind", or the last section its "doc" names as "readme" (files of several CPUs:
/// "README-multicpu.md, section select_idle"). Empty when it says neither.
[[nodiscard]] std::string kind_of(const Value& file);
/// The format of a file, recognised by its content, or nullptr.
[[nodiscard]] const Format* format_of(const Value& file);

// One file each. They call the functions the engine calls.
void check_weights(const Value& file, Tally& tally);        // nice weights, inverses, delta scaling
void check_load_tracking(const Value& file, Tally& tally);  // decay, segments, sequences of updates
void check_pick_cases(const Value& file, Tally& tally);     // EEVDF: static queues and the entity picked
void check_reweight_cases(const Value& file, Tally& tally); // EEVDF: weight change of a queued entity
void check_traces(const Value& file, Tally& tally);         // one CPU's fair class, operation by operation

} // namespace picknext::vectors
