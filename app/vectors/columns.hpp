// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of trace rows: their name in a file, and the number the engine holds for them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/vectors/scene.hpp"

namespace picknext::vectors {

struct QueueColumn {
    std::string_view name;
    std::int64_t (*value)(const Scene&, QueueId);
};
struct EntityColumn {
    std::string_view name;
    std::int64_t (*value)(const Entity&);
};
struct LoadColumn {
    std::string_view name;
    std::int64_t (*value)(const LoadAvg&);
};

/// The columns of a trace file, in its order. Throws Malformed at an unknown name.
struct Columns {
    std::vector<QueueColumn> queue;
    std::vector<EntityColumn> entity;
    std::vector<LoadColumn> load;
};
[[nodiscard]] Columns read_columns(const Value& cols);

} // namespace picknext::vectors
