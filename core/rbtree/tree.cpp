// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rbtree/tree.hpp"

#include <algorithm>

namespace picknext::rbtree {
namespace {

enum class Side : bool { left, right };
constexpr Side other(Side side) { return side == Side::left ? Side::right : Side::left; }

/// The algorithm for one key and augmentation, so that comparing and recomputing are inlined.
template <TreeKey Key, Augment Aug>
class Tree {
  public:
    Tree(State& st, EntityId& root, EntityId& leftmost)
        : m_nodes(st.entities.data()), m_root(root), m_leftmost(leftmost),
          m_exact_min_slice(st.settings.patch(Patch::exact_min_slice) == 1) {}

    void insert(EntityId e) {
        Entity& node = at(e);
        const VTime key = key_of(Key, node);
        EntityId parent;
        EntityId* place = &m_root;
        bool first = true;
        while (*place) {
            parent = *place;
            TreeLink& l = link(parent);
            if (before(key, key_of(Key, at(parent)))) {
                place = &l.left;
            } else {
                place = &l.right;
                first = false;
            }
        }
        *place = e;
        node.link = TreeLink{.parent = parent, .left = {}, .right = {}, .red = 1, .in_tree = 1, .pad = {}};
        if (first) m_leftmost = e;
        store(node, own(node));
        refresh(parent, EntityId::none());
        mend_red(e);
    }

    void erase(EntityId e) {
        if (m_leftmost == e) m_leftmost = next_in_order(e);
        const TreeLink gone = link(e);
        EntityId refresh_from = gone.parent;
        EntityId short_of_black; // parent of the empty place whose path lost a black node
        if (gone.left && gone.right) {
            refresh_from = replace_by_successor(e, short_of_black);
        } else if (const EntityId child = gone.left ? gone.left : gone.right) {
            replace_child(gone.parent, e, child); // the only child is red: it takes over place and colour
            link(child).parent = gone.parent;
            link(child).red = gone.red;
        } else {
            replace_child(gone.parent, e, EntityId::none());
            if (gone.red == 0) short_of_black = gone.parent;
        }
        refresh(refresh_from, EntityId::none());
        if (short_of_black) mend_black(short_of_black);
        link(e) = TreeLink{};
    }

    /// Recomputes upward until a value stays or `stop` is reached.
    void refresh(EntityId from, EntityId stop) {
        if constexpr (Aug != Augment::none)
            for (EntityId e = from; e && e != stop; e = link(e).parent)
                if (!recompute(e)) return;
    }

    [[nodiscard]] Augmented computed(const Entity& node) const {
        Augmented a = own(node);
        if (node.link.left) merge(a, at(node.link.left));
        if (node.link.right) merge(a, at(node.link.right));
        return a;
    }

  private:
    [[nodiscard]] Entity& at(EntityId e) const { return m_nodes[e.index()]; }
    [[nodiscard]] TreeLink& link(EntityId e) const { return at(e).link; }
    [[nodiscard]] EntityId& child(EntityId e, Side side) const {
        return side == Side::left ? link(e).left : link(e).right;
    }
    [[nodiscard]] bool red(EntityId e) const { return e && link(e).red != 0; }

    static Augmented own(const Entity& node) {
        return {Aug == Augment::min_deadline ? node.deadline : node.vruntime, node.slice};
    }
    static void merge(Augmented& a, const Entity& sub) {
        a.min = earlier(a.min, sub.subtree_min);
        if constexpr (Aug == Augment::min_vruntime_min_slice)
            a.min_slice = std::min(a.min_slice, sub.subtree_min_slice);
    }
    /// True when a stored value changed.
    static bool store(Entity& node, Augmented a) {
        if constexpr (Aug == Augment::none) return false;
        bool changed = node.subtree_min != a.min;
        node.subtree_min = a.min;
        if constexpr (Aug == Augment::min_vruntime_min_slice) {
            changed |= node.subtree_min_slice != a.min_slice;
            node.subtree_min_slice = a.min_slice;
        }
        return changed;
    }
    bool recompute(EntityId e) { return store(at(e), computed(at(e))); }

    /// `heir` now heads the subtree `old` headed. 6.12 forgets the minimum slice here.
    void inherit(EntityId heir, EntityId old) {
        if constexpr (Aug == Augment::none) return;
        at(heir).subtree_min = at(old).subtree_min;
        if (m_exact_min_slice) at(heir).subtree_min_slice = at(old).subtree_min_slice;
    }

    void replace_child(EntityId parent, EntityId old, EntityId heir) {
        if (!parent)
            m_root = heir;
        else if (link(parent).left == old)
            link(parent).left = heir;
        else
            link(parent).right = heir;
    }

    /// Rotates `e` above its parent.
    void rotate_up(EntityId e) {
        const EntityId parent = link(e).parent;
        const EntityId top = link(parent).parent;
        const Side side = link(parent).left == e ? Side::left : Side::right;
        const EntityId inner = child(e, other(side));
        child(parent, side) = inner;
        if (inner) link(inner).parent = parent;
        child(e, other(side)) = parent;
        link(parent).parent = e;
        link(e).parent = top;
        replace_child(top, parent, e);
        inherit(e, parent);
        if constexpr (Aug != Augment::none) recompute(parent);
    }

    /// `e` is red; its parent may be red too.
    void mend_red(EntityId e) {
        while (true) {
            EntityId parent = link(e).parent;
            if (!parent) {
                link(e).red = 0;
                return;
            }
            if (!red(parent)) return;
            const EntityId grandparent = link(parent).parent; // a red node is never the root
            const Side side = link(grandparent).left == parent ? Side::left : Side::right;
            const EntityId uncle = child(grandparent, other(side));
            if (!red(uncle)) {
                if (e == child(parent, other(side))) {
                    rotate_up(e);
                    parent = e;
                }
                rotate_up(parent);
                link(parent).red = 0;
                link(grandparent).red = 1;
                return;
            }
            link(parent).red = 0;
            link(uncle).red = 0;
            link(grandparent).red = 1;
            e = grandparent;
        }
    }

    /// Puts the in-order successor in the place and colour of `e`, which has two children. Returns where
    /// recomputing starts; sets short_of_black when a black node left its path.
    EntityId replace_by_successor(EntityId e, EntityId& short_of_black) {
        const TreeLink gone = link(e);
        EntityId successor = gone.right;
        while (link(successor).left)
            successor = link(successor).left;
        const EntityId orphan = link(successor).right;
        const bool was_red = link(successor).red != 0;
        EntityId orphan_parent = successor;
        if (successor != gone.right) {
            orphan_parent = link(successor).parent;
            link(orphan_parent).left = orphan;
            link(successor).right = gone.right;
            link(gone.right).parent = successor;
            inherit(successor, e);
            refresh(orphan_parent, successor);
        } else {
            inherit(successor, e);
        }
        link(successor).left = gone.left;
        link(gone.left).parent = successor;
        link(successor).parent = gone.parent;
        link(successor).red = gone.red;
        replace_child(gone.parent, e, successor);
        if (orphan) {
            link(orphan).parent = orphan_parent;
            link(orphan).red = 0;
        } else if (!was_red) {
            short_of_black = orphan_parent;
        }
        return successor;
    }

    /// The paths through one side of `parent` (first an empty one) have a black node too few.
    void mend_black(EntityId parent) {
        EntityId node;
        while (parent) {
            const Side side =
                link(parent).left == node && link(parent).right != node ? Side::left : Side::right;
            EntityId sibling = child(parent, other(side));
            if (red(sibling)) {
                rotate_up(sibling);
                link(sibling).red = 0;
                link(parent).red = 1;
                sibling = child(parent, other(side));
            }
            if (!red(child(sibling, other(side)))) {
                const EntityId near = child(sibling, side);
                if (!red(near)) {
                    link(sibling).red = 1;
                    node = parent;
                    if (red(node)) {
                        link(node).red = 0;
                        return;
                    }
                    parent = link(node).parent;
                    continue;
                }
                rotate_up(near);
                link(near).red = 0;
                link(sibling).red = 1;
                sibling = near;
            }
            rotate_up(sibling);
            link(sibling).red = link(parent).red;
            link(parent).red = 0;
            link(child(sibling, other(side))).red = 0;
            return;
        }
    }

    [[nodiscard]] EntityId next_in_order(EntityId e) const {
        if (EntityId n = link(e).right) {
            while (link(n).left)
                n = link(n).left;
            return n;
        }
        EntityId parent = link(e).parent;
        while (parent && link(parent).right == e) {
            e = parent;
            parent = link(e).parent;
        }
        return parent;
    }

    Entity* m_nodes;
    EntityId& m_root;
    EntityId& m_leftmost;
    bool m_exact_min_slice;
};

/// Calls f with the tree of the right type.
template <class F>
auto with_tree(State& st, EntityId& root, EntityId& leftmost, F&& f) {
    switch (st.settings.augment()) {
    case Augment::none:
        return f(Tree<TreeKey::vruntime, Augment::none>(st, root, leftmost));
    case Augment::min_deadline:
        return f(Tree<TreeKey::vruntime, Augment::min_deadline>(st, root, leftmost));
    case Augment::min_vruntime:
        return f(Tree<TreeKey::deadline, Augment::min_vruntime>(st, root, leftmost));
    case Augment::min_vruntime_min_slice:
        break;
    }
    return f(Tree<TreeKey::deadline, Augment::min_vruntime_min_slice>(st, root, leftmost));
}

} // namespace

void insert(State& st, Queue& queue, EntityId entity) {
    with_tree(st, queue.root, queue.leftmost, [&](auto tree) { tree.insert(entity); });
}

void erase(State& st, Queue& queue, EntityId entity) {
    with_tree(st, queue.root, queue.leftmost, [&](auto tree) { tree.erase(entity); });
}

void refresh(State& st, EntityId entity) {
    EntityId unused;
    with_tree(st, unused, unused, [&](auto tree) { tree.refresh(entity, EntityId::none()); });
}

EntityId next(const State& st, EntityId entity) {
    if (EntityId n = st.entity(entity).link.right) {
        while (st.entity(n).link.left)
            n = st.entity(n).link.left;
        return n;
    }
    EntityId parent = st.entity(entity).link.parent;
    while (parent && st.entity(parent).link.right == entity) {
        entity = parent;
        parent = st.entity(entity).link.parent;
    }
    return parent;
}

Augmented augmented_of(const State& st, EntityId entity) {
    const Entity& node = st.entity(entity);
    const Augment augment = st.settings.augment();
    Augmented a{augment == Augment::min_deadline ? node.deadline : node.vruntime, node.slice};
    for (EntityId c : {node.link.left, node.link.right}) {
        if (!c) continue;
        a.min = earlier(a.min, st.entity(c).subtree_min);
        a.min_slice = std::min(a.min_slice, st.entity(c).subtree_min_slice);
    }
    return a;
}

} // namespace picknext::rbtree
