// SPDX-License-Identifier: GPL-3.0-or-later
// The one CPU a vector file speaks of: the engine's state of it, and the ids the file uses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/vectors/value.hpp"
#include "core/state/state.hpp"

namespace picknext::vectors {

/// An id as the file writes it: a task's number, 9999 + g for the entity of group g, -1 for nobody.
using FileId = std::int64_t;
inline constexpr FileId nobody = -1;
inline constexpr FileId first_group_entity = 9999;

struct Scene {
    State st;
    std::vector<FileId> names;         // by entity index
    std::map<FileId, EntityId> by_name;

    void name(EntityId entity, FileId id);
    [[nodiscard]] FileId name_of(EntityId entity) const { return entity ? names[entity.index()] : nobody; }
    [[nodiscard]] FileId name_of(TaskId task) const { return task ? name_of(st.task(task).entity) : nobody; }
    /// Throws Malformed when the file never introduced it.
    [[nodiscard]] EntityId entity(FileId id) const;
    [[nodiscard]] TaskId task(FileId id) const;
    /// 0 the root queue, g the queue of group g.
    [[nodiscard]] QueueId queue(std::size_t group) const { return st.groups[group].first_queue; }
};

inline constexpr CpuId the_cpu{0};

/// The kernel a file's "kernel" names ("6.1.192", "6.8", "5.12-rc (...)"). Throws Malformed.
[[nodiscard]] Kernel kernel_of(std::string_view text);
/// One idle CPU with an empty root queue that starts at this reference.
[[nodiscard]] Scene empty_scene(const Settings& settings, VTime reference);

/// Feature bits as a file lists them: {"PLACE_LAG": 1, ...}. Throws Malformed at an unknown name.
void set_features(Settings& settings, const Value& features);
/// The numbers of a trace's "params". Throws Malformed at an unknown name.
void set_parameters(Settings& settings, const Value& params);

/// The tree of a queue: id, b or r, then (left,right) unless it is a leaf; "" when empty.
[[nodiscard]] std::string tree_text(const Scene& scene, QueueId queue);

} // namespace picknext::vectors
