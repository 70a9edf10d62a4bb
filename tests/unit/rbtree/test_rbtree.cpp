// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes and colours that can be drawn on paper, and what the nodes store about their subtrees.
#include <QtTest>

#include "core/rbtree/tree.hpp"

using namespace picknext;

namespace {

struct Grove {
    State st;
    Queue q;

    explicit Grove(Kernel kernel = Kernel::eevdf_6_12y) { st.settings = default_settings(kernel, 1); }

    EntityId add(std::int64_t key, std::uint64_t slice = 3'000'000) {
        Entity e;
        e.vruntime = e.deadline = VTime{static_cast<std::uint64_t>(key)};
        e.slice = slice;
        st.entities.push_back(e);
        const EntityId id{st.entities.size() - 1};
        rbtree::insert(st, q, id);
        return id;
    }
    /// "2b(1r,3r)": key, colour, children.
    QString shape(EntityId node) const {
        if (!node) return {};
        const Entity& e = st.entity(node);
        QString text = QString::number(static_cast<qint64>(e.deadline.ns)) + (e.link.red ? "r" : "b");
        if (e.link.left || e.link.right) text += "(" + shape(e.link.left) + "," + shape(e.link.right) + ")";
        return text;
    }
    QString shape() const { return shape(q.root); }
};

} // namespace

class RbTreeTest : public QObject {
    Q_OBJECT
  private slots:
    void ascendingKeysRotateLeft() {
        Grove g;
        for (int key = 1; key <= 7; ++key)
            g.add(key);
        QCOMPARE(g.shape(), QString("2b(1b,4r(3b,6b(5r,7r)))"));
    }
    void innerGrandchildRotatesTwice() {
        Grove g;
        g.add(10);
        g.add(30);
        g.add(20);
        QCOMPARE(g.shape(), QString("20b(10r,30r)"));
    }
    void equalKeysGoRight() {
        Grove g;
        const EntityId first = g.add(5), second = g.add(5), third = g.add(5);
        QCOMPARE(g.q.leftmost, first);
        QCOMPARE(rbtree::next(g.st, first), second);
        QCOMPARE(rbtree::next(g.st, second), third);
        QVERIFY(!rbtree::next(g.st, third));
    }
    void aReinsertedEqualGoesLast() {
        Grove g;
        const EntityId first = g.add(5), second = g.add(5);
        rbtree::erase(g.st, g.q, first);
        rbtree::insert(g.st, g.q, first);
        QCOMPARE(g.q.leftmost, second);
        QCOMPARE(rbtree::next(g.st, second), first);
    }
    void keysThatWrapStayInOrder() {
        Grove g;
        const EntityId late = g.add(10);
        const EntityId early = g.add(-10); // a huge unsigned number, but 20 before
        QCOMPARE(g.q.leftmost, early);
        QCOMPARE(rbtree::next(g.st, early), late);
    }
    void successorTakesPlaceAndColour() {
        Grove g;
        std::vector<EntityId> id{EntityId::none()};
        for (int key = 1; key <= 7; ++key)
            id.push_back(g.add(key));
        rbtree::erase(g.st, g.q, id[4]); // red, children 3 and 6(5,7): 5 comes
        QCOMPARE(g.shape(), QString("2b(1b,5r(3b,6b(,7r)))"));
        rbtree::erase(g.st, g.q, id[2]); // the root: 3, leaving a black leaf short
        QCOMPARE(g.shape(), QString("3b(1b,6r(5b,7b))"));
        QCOMPARE(g.st.entity(id[2]).link, TreeLink{});
    }
    void erasingTheLeftmostMovesIt() {
        Grove g;
        const EntityId one = g.add(1), two = g.add(2);
        rbtree::erase(g.st, g.q, one);
        QCOMPARE(g.q.leftmost, two);
        rbtree::erase(g.st, g.q, two);
        QVERIFY(!g.q.leftmost && !g.q.root);
    }
    void aRedSiblingIsRotatedAway() {
        Grove g;
        std::vector<EntityId> id{EntityId::none()};
        for (int key = 1; key <= 7; ++key)
            id.push_back(g.add(key));
        rbtree::erase(g.st, g.q, id[1]); // sibling 4 is red
        QCOMPARE(g.shape(), QString("4b(2b(,3r),6b(5r,7r))"));
    }
    void minimumFollowsInsertAndErase() {
        Grove g;
        const EntityId low = g.add(1);
        for (int key = 2; key <= 7; ++key)
            g.add(key);
        QCOMPARE(g.st.entity(g.q.root).subtree_min, VTime{1});
        rbtree::erase(g.st, g.q, low);
        QCOMPARE(g.st.entity(g.q.root).subtree_min, VTime{2});
    }
    void treeByVruntimeKnowsTheEarliestDeadline() {
        Grove g(Kernel::eevdf_6_6);
        g.add(1);
        g.add(2);
        g.add(3);
        Entity& root = g.st.entity(g.q.root);
        QCOMPARE(root.subtree_min, VTime{1});
        root.deadline = VTime{0};
        rbtree::refresh(g.st, g.q.root);
        QCOMPARE(root.subtree_min, VTime{0});
    }
    /// A rotation carries over the minimum vruntime but not the minimum slice: 1, 2, 3 in order rotate 2
    /// above 1.
    void rotationLeavesMinimumSliceBehind() {
        Grove g;
        g.add(1, 1'000'000);
        g.add(2, 5'000'000);
        g.add(3, 5'000'000);
        QCOMPARE(g.shape(), QString("2b(1r,3r)"));
        QCOMPARE(g.st.entity(g.q.root).subtree_min_slice, std::uint64_t{5'000'000});
    }
    void exactMinimumSliceIsMended() {
        Grove g;
        g.st.settings.set(Patch::exact_min_slice, 1);
        g.add(1, 1'000'000);
        g.add(2, 5'000'000);
        g.add(3, 5'000'000);
        QCOMPARE(g.st.entity(g.q.root).subtree_min_slice, std::uint64_t{1'000'000});
    }
};

QTEST_APPLESS_MAIN(RbTreeTest)
#include "test_rbtree.moc"
