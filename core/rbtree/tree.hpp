// SPDX-License-Identifier: GPL-3.0-or-later
// The augmented red-black tree of a fair queue, over indices into State::entities. Shape and colours are the
// ones the kernel's tree takes (lib/rbtree.c): equal keys go right, an erased inner node is replaced by its
// successor. Key and augmented values follow from the settings: vruntime or deadline; nothing, min_deadline,
// or min_vruntime with or without min_slice.
#pragma once

#include "core/state/state.hpp"

namespace picknext::rbtree {

/// Inserts an entity that is in no tree; sets its augmented values (fn: rb_add_cached,
/// rb_add_augmented_cached).
void insert(State& st, Queue& queue, EntityId entity);

/// Removes an entity of this queue's tree; its link becomes blank (fn: rb_erase_cached,
/// rb_erase_augmented_cached).
void erase(State& st, Queue& queue, EntityId entity);

/// Recomputes the augmented values from a node upward until one does not change, after its own numbers
/// changed (fn: min_vruntime_cb_propagate).
void refresh(State& st, EntityId entity);

/// The next in order, or none (fn: rb_next).
[[nodiscard]] EntityId next(const State& st, EntityId entity);

/// The augmented values a node should have, from its own numbers and its children's stored ones.
struct Augmented {
    VTime min;
    std::uint64_t min_slice = 0;
    friend bool operator==(const Augmented&, const Augmented&) = default;
};
[[nodiscard]] Augmented augmented_of(const State& st, EntityId entity);

/// The key the tree is sorted by.
[[nodiscard]] inline VTime key_of(TreeKey key, const Entity& entity) {
    return key == TreeKey::vruntime ? entity.vruntime : entity.deadline;
}

} // namespace picknext::rbtree
