// SPDX-License-Identifier: GPL-3.0-or-later
// Strong ids: an index into one flat array of State or Machine, or "none". Ids of different arrays do not mix.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

namespace picknext {

/// Index into one array; -1 is "none". Trivial, four bytes, ordered by value.
template <class Tag>
struct Id {
    std::int32_t value = -1;

    constexpr Id() = default;
    constexpr explicit Id(std::int32_t v) : value(v) {}
    constexpr explicit Id(std::size_t v) : value(static_cast<std::int32_t>(v)) {}

    [[nodiscard]] static constexpr Id none() { return Id{}; }
    [[nodiscard]] constexpr bool valid() const { return value >= 0; }
    /// The array index; only for a valid id.
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    constexpr explicit operator bool() const { return valid(); }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using CpuId = Id<struct CpuTag>;         // dense index in ascending order of the firmware's CPU number
using CoreId = Id<struct CoreTag>;
using ClusterId = Id<struct ClusterTag>;
using LlcId = Id<struct LlcTag>;
using DieId = Id<struct DieTag>;
using PackageId = Id<struct PackageTag>;
using NodeId = Id<struct NodeTag>;
using DomainId = Id<struct DomainTag>;
using TaskId = Id<struct TaskTag>;
using EntityId = Id<struct EntityTag>;   // sched_entity: of a task, or of a group on one CPU
using QueueId = Id<struct QueueTag>;     // cfs_rq: the root queue of CPU c is QueueId c
using GroupId = Id<struct GroupTag>;     // task_group; the root group is GroupId 0
using MaskId = Id<struct MaskTag>;       // a row of State::masks (an affinity)
using ResourceId = Id<struct ResourceTag>;

} // namespace picknext

template <class Tag>
struct fmt::formatter<picknext::Id<Tag>> : fmt::formatter<std::int32_t> {
    auto format(picknext::Id<Tag> id, fmt::format_context& ctx) const {
        return fmt::formatter<std::int32_t>::format(id.value, ctx);
    }
};

template <class Tag>
struct std::hash<picknext::Id<Tag>> {
    std::size_t operator()(picknext::Id<Tag> id) const noexcept { return static_cast<std::size_t>(id.value); }
};
