// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>

#include "tests/ui/support/moments.hpp"
#include "ui/scene/axis.hpp"
#include "ui/scene/line_scene.hpp"
#include "ui/scene/machine_scene.hpp"
#include "ui/scene/timeline_scene.hpp"
#include "ui/scene/tree_scene.hpp"

using namespace picknext;
using namespace picknext::ui;

namespace {

Axis axis(double from, double to, double left, double right) {
    Axis a;
    a.from = from;
    a.to = to;
    a.left = left;
    a.right = right;
    return a;
}

Machine machine(int nodes, int llcs, int cores, int threads) {
    MachineCounts counts;
    counts.nodes = nodes;
    counts.llcs = llcs;
    counts.cores = cores;
    counts.threads = threads;
    return build_machine(counts).value();
}

MachineMetrics metrics(double width, double height) {
    MachineMetrics m;
    m.viewport = {width, height};
    return m;
}

TreeMetrics tree_metrics(double width, double height) {
    TreeMetrics m;
    m.viewport = {width, height};
    return m;
}

bool overlap(const QRectF& a, const QRectF& b) { return a.adjusted(0.01, 0.01, -0.01, -0.01).intersects(b.adjusted(0.01, 0.01, -0.01, -0.01)); }

} // namespace

class TestScene : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void axisMapsBothWays() {
        const Axis a = axis(1'000, 3'000, 100, 300);
        QCOMPARE(a.x(1'000), 100.0);
        QCOMPARE(a.x(2'000), 200.0);
        QCOMPARE(a.at(250), 2'500.0);
        QCOMPARE(a.per_pixel(), 10.0);
    }

    void ticksAreOneTwoOrFive() {
        const Axis a = axis(-2'500'000, 4'200'000, 0, 670); // 10 000 ns a pixel
        QCOMPARE(tick_step(a, 60), std::int64_t{1'000'000}); // 600 000 wanted
        QCOMPARE(tick_step(a, 20), std::int64_t{200'000});
        QCOMPARE(tick_step(a, 21), std::int64_t{500'000});
        QCOMPARE(ticks(a, 1'000'000), (std::vector<std::int64_t>{-2'000'000, -1'000'000, 0, 1'000'000, 2'000'000, 3'000'000, 4'000'000}));
    }

    void zoomHoldsThePixel() {
        const Axis a = axis(0, 1'000, 0, 100), b = zoomed(a, 0.5, 40, 0, 10'000, 10);
        QCOMPARE(b.span(), 500.0);
        QCOMPARE(b.at(40), 400.0);
        QCOMPARE(zoomed(a, 0.001, 40, 0, 10'000, 10).span(), 10.0);  // not shorter than asked
        QCOMPARE(zoomed(a, 100, 40, 0, 10'000, 10).span(), 10'000.0); // not longer than there is
        QCOMPARE(moved(a, -50, 0, 10'000).from, 0.0);
        QCOMPARE(moved(a, 20'000, 0, 10'000).to, 10'000.0);
    }

    void machineBoxesNest_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("llcs");
        QTest::addColumn<int>("cores");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("detail");
        QTest::newRow("1 CPU") << 1 << 1 << 1 << 1 << static_cast<int>(CpuDetail::full);
        QTest::newRow("16 CPUs") << 1 << 2 << 4 << 2 << static_cast<int>(CpuDetail::full);
        QTest::newRow("64 CPUs") << 1 << 4 << 8 << 2 << static_cast<int>(CpuDetail::full);
        QTest::newRow("256 CPUs") << 2 << 8 << 8 << 2 << static_cast<int>(CpuDetail::cell);
        QTest::newRow("1024 CPUs") << 4 << 16 << 8 << 2 << static_cast<int>(CpuDetail::cell);
    }
    void machineBoxesNest() {
        QFETCH(int, nodes);
        QFETCH(int, llcs);
        QFETCH(int, cores);
        QFETCH(int, threads);
        QFETCH(int, detail);
        const Machine m = machine(nodes, llcs, cores, threads);
        const MachineMetrics mm = metrics(600, 600);
        const MachineScene s = place_machine(m, arrange_machine(m, mm), mm, 1);
        QCOMPARE(static_cast<int>(s.detail), detail);
        QCOMPARE(s.cpus.size(), m.cpu_count());
        QVERIFY(s.size.width() <= 600.01 && s.size.height() <= 600.01);
        std::vector<QRectF> core(m.cpu_count()), llc(m.cpu_count()), node(m.cpu_count());
        for (const MachineBox& b : s.boxes) {
            const auto id = static_cast<std::size_t>(b.id);
            if (b.level == MachineLevel::core) core[id] = b.rect;
            if (b.level == MachineLevel::llc) llc[id] = b.rect;
            if (b.level == MachineLevel::node) node[id] = b.rect;
        }
        for (std::size_t c = 0; c < m.cpu_count(); ++c) {
            const Cpu& cpu = m.cpus[c];
            QVERIFY(core[cpu.core.index()].contains(s.cpus[c]));
            QVERIFY(llc[cpu.llc.index()].contains(core[cpu.core.index()]));
            QVERIFY(node[cpu.node.index()].contains(llc[cpu.llc.index()]));
            QCOMPARE(s.cpu_at(s.cpus[c].center()), CpuId{c});
            for (std::size_t d = 0; d < c; ++d) QVERIFY(!overlap(s.cpus[c], s.cpus[d]));
        }
    }

    void machineZoomGivesDetail() {
        const Machine m = machine(4, 16, 8, 2);
        const MachineMetrics mm = metrics(300, 200);
        const MachineArrangement a = arrange_machine(m, mm);
        QCOMPARE(place_machine(m, a, mm, 1).detail, CpuDetail::aggregate);
        QCOMPARE(place_machine(m, a, mm, 60).detail, CpuDetail::full);
    }

    void arrowKeysReachNeighbours() {
        const Machine m = machine(1, 2, 4, 2); // siblings are n and n + 8; LLC 0 holds 0..3
        const MachineMetrics mm = metrics(500, 464);
        const MachineScene s = place_machine(m, arrange_machine(m, mm), mm, 1);
        QCOMPARE(s.neighbour(CpuId{0}, 1, 0), CpuId{8});
        QCOMPARE(s.neighbour(CpuId{8}, 1, 0), CpuId{4});
        QCOMPARE(s.neighbour(CpuId{0}, 0, 1), CpuId{1});
        QCOMPARE(s.neighbour(CpuId{0}, -1, 0), CpuId{0}); // at the edge
    }

    void treeIsLaidOutInOrder() {
        const auto moment = test::crowded_queue();
        const TreeShape shape = shape_of(moment->state, QueueId{3});
        QCOMPARE(shape.nodes.size(), std::size_t{9});
        QCOMPARE(shape.height, 4);
        const std::array<std::size_t, 9> order{0, 1, 2, 6, 4, 5, 8, 7, 9}; // by hand from the tree
        for (std::size_t i = 0; i < order.size(); ++i) QCOMPARE(shape.nodes[i].entity, moment->state.tasks[order[i]].entity);
        QCOMPARE(shape.nodes[4].parent, -1);
        QCOMPARE(shape.nodes[4].left, 1);
        QCOMPARE(shape.nodes[4].right, 6);
        QCOMPARE(shape.nodes[1].red, true);
        QCOMPARE(shape.find(moment->state.tasks[3].entity), -1); // current is outside

        const TreeScene s = layout_tree(shape, tree_metrics(1190, 400), true);
        QCOMPARE(s.detail, NodeDetail::full);
        for (std::size_t i = 0; i < 9; ++i) {
            QVERIFY(i == 0 || s.nodes[i].center().x() > s.nodes[i - 1].center().x());
            QCOMPARE(s.nodes[i].top(), s.top + s.pitch * shape.nodes[i].depth);
            QCOMPARE(s.node_at(s.nodes[i].center()), static_cast<int>(i));
            QVERIFY(QRectF(0, 0, 1190, 400).contains(s.nodes[i]));
            QVERIFY(!overlap(s.current, s.nodes[i]));
        }
        QVERIFY(!s.current.isEmpty());
    }

    void treeDetailFollowsRoom_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("tasks");
        QTest::addColumn<int>("detail");
        QTest::newRow("large") << 1190 << 400 << 9 << static_cast<int>(NodeDetail::full);
        QTest::newRow("medium") << 610 << 240 << 9 << static_cast<int>(NodeDetail::key);
        QTest::newRow("small window") << 688 << 146 << 9 << static_cast<int>(NodeDetail::name);
        QTest::newRow("forty") << 800 << 300 << 40 << static_cast<int>(NodeDetail::cell);
        QTest::newRow("ten thousand") << 1190 << 400 << 10'000 << static_cast<int>(NodeDetail::aggregate);
        QTest::newRow("one") << 610 << 224 << 1 << static_cast<int>(NodeDetail::full);
    }
    void treeDetailFollowsRoom() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, tasks);
        QFETCH(int, detail);
        const auto moment = test::long_queue(tasks);
        const TreeShape shape = shape_of(moment->state, QueueId{0});
        QCOMPARE(shape.nodes.size(), static_cast<std::size_t>(tasks));
        const TreeScene s = layout_tree(shape, tree_metrics(width, height), false);
        QCOMPARE(static_cast<int>(s.detail), detail);
        if (s.detail == NodeDetail::aggregate) return;
        for (std::size_t i = 0; i < s.nodes.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) QVERIFY(!overlap(s.nodes[i], s.nodes[j]));
    }

    void emptyTree() {
        const auto moment = test::crowded_queue();
        const TreeShape shape = shape_of(moment->state, QueueId{5});
        QVERIFY(shape.nodes.empty());
        QVERIFY(layout_tree(shape, tree_metrics(600, 200), false).nodes.empty());
    }

    void pathFollowsTheChecks() {
        const auto moment = test::crowded_queue();
        const auto path = visited_path(moment->checks);
        QCOMPARE(path.size(), std::size_t{3});
        const std::array<std::size_t, 3> tasks{4, 1, 6};
        const std::array<std::size_t, 3> tests{1, 2, 2};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(path[i].entity, moment->state.tasks[tasks[i]].entity);
            QCOMPARE(path[i].checks.size(), tests[i]);
        }
        QVERIFY(visited_path(std::span(moment->checks).first(3)).empty()); // nothing of the search seen yet
    }

    void lineBarsReachFromVruntimeToDeadline() {
        const std::vector<LineEntry> entries{{-1'000'000, 2'000'000}, {500'000, 1'500'000}, {-1'400'000, 90'000'000}};
        LineMetrics m;
        m.viewport = {600, 200};
        const LineScene s = layout_line(entries, std::nullopt, m);
        QCOMPARE(s.detail, RowDetail::named);
        QCOMPARE(s.bars.size(), std::size_t{3});
        QCOMPARE(s.bars[0].rect.left(), s.axis.x(-1'000'000));
        QCOMPARE(s.bars[0].rect.right(), s.axis.x(2'000'000));
        QVERIFY(!s.bars[0].leaves_right);
        QVERIFY(s.bars[2].leaves_right); // far out: the others keep their room
        QCOMPARE(s.bars[2].rect.right(), s.plot.right());
        QVERIFY(s.axis.to < 4'000'000);
        QCOMPARE(s.row_at(s.bars[1].rect.center().y()), 1);
        QCOMPARE(s.row_at(s.plot.bottom() + 1), -1);
    }

    void lineOfOneEntityAtV() {
        LineMetrics m;
        m.viewport = {600, 200};
        const LineScene s = layout_line({{0, 2'800'000}}, 0, m); // alone it is its own average
        QVERIFY(!s.bars[0].leaves_right && !s.bars[0].leaves_left);
        QVERIFY(s.bars[0].rect.width() > s.plot.width() / 2);
    }

    void lineAggregatesManyRows() {
        std::vector<LineEntry> entries;
        for (int i = 0; i < 10'000; ++i) entries.push_back({i * 100 - 500'000, i * 100});
        LineMetrics m;
        m.viewport = {600, 200};
        const LineScene s = layout_line(entries, std::nullopt, m);
        QCOMPARE(s.detail, RowDetail::aggregate);
        int v = 0, d = 0;
        for (const int n : s.vruntimes) v += n;
        for (const int n : s.deadlines) d += n;
        QCOMPARE(v, 10'000); // each is counted once
        QCOMPARE(d, 10'000);
    }

    void lineOfEqualEntities() {
        LineMetrics m;
        m.viewport = {600, 200};
        const LineScene s = layout_line({{0, std::nullopt}, {0, std::nullopt}}, 0, m); // CFS, all the same
        QVERIFY(s.axis.span() > 0);
        QCOMPARE(s.bars[0].rect.width(), 0.0);
        QCOMPARE(s.bars[0].rect.left(), s.axis.x(0));
    }

    void lanesCullAndMerge() {
        std::vector<LaneSlice> lane;
        for (int i = 0; i < 1'000; ++i) lane.push_back({i * 1'000, i * 1'000 + 500, TaskId{i % 3}});
        // 100 ns a pixel: each slice is five pixels
        const auto near = lay_lane(lane, axis(10'000, 20'000, 0, 100), 1'000'000);
        QCOMPARE(near.size(), std::size_t{10});
        QCOMPARE(near[0].task, TaskId{1});
        QCOMPARE(near[0].left, 0.0);
        QCOMPARE(near[0].right, 5.0);
        // 10 000 ns a pixel: ten slices a pixel, half of the time busy
        const auto far = lay_lane(lane, axis(0, 1'000'000, 0, 100), 1'000'000);
        QCOMPARE(far.size(), std::size_t{100});
        for (const LanePiece& p : far) {
            QVERIFY(!p.task.valid());
            QVERIFY(qAbs(p.share - 0.5) < 1e-9);
        }
    }

    void openSliceEndsAtTheFrontier() {
        const std::vector<LaneSlice> lane{{100, INT64_MAX, TaskId{0}}};
        const auto pieces = lay_lane(lane, axis(0, 1'000, 0, 1'000), 400);
        QCOMPARE(pieces.size(), std::size_t{1});
        QCOMPARE(pieces[0].left, 100.0);
        QCOMPARE(pieces[0].right, 400.0);
    }

    void waitingSpans() {
        const std::vector<WaitStep> steps{{0, 0}, {100, 2}, {300, 1}, {400, 0}, {600, 3}};
        const auto pieces = lay_waiting(steps, axis(0, 1'000, 0, 1'000), 800);
        QCOMPARE(pieces.size(), std::size_t{2});
        QCOMPARE(pieces[0].left, 100.0);
        QCOMPARE(pieces[0].right, 400.0); // two, then one: somebody waits all along
        QCOMPARE(pieces[1].left, 600.0);
        QCOMPARE(pieces[1].right, 800.0); // until what is known
        const auto part = lay_waiting(steps, axis(200, 250, 0, 50), 800);
        QCOMPARE(part.size(), std::size_t{1});
        QCOMPARE(part[0].left, 0.0);
        QCOMPARE(part[0].right, 50.0);
    }

    void busyShareAddsLanes() {
        const std::vector<LaneSlice> a{{0, 100, TaskId{0}}}, b{{50, 100, TaskId{1}}};
        const std::array<std::span<const LaneSlice>, 2> lanes{a, b};
        const auto shares = busy_shares(lanes, axis(0, 200, 0, 4), 1, 150); // 50 ns a bin, three known
        QCOMPARE(shares, (std::vector<float>{0.5F, 1.F, 0.F}));
    }

    void rowsOfSmallMachines() {
        const Machine m = machine(1, 2, 4, 2);
        TimelineMetrics tm;
        tm.viewport = {800, 190};
        const TimelineRows rows = layout_rows(m, CpuId{3}, {}, tm);
        QCOMPARE(rows.rows.size(), std::size_t{16});
        QCOMPARE(rows.rows[0].id, 0);
        QCOMPARE(rows.rows[1].id, 8); // its sibling
        const int own = rows.row_of(CpuId{3}, m);
        QCOMPARE(rows.rows[static_cast<std::size_t>(own)].id, 3);
        for (const TimelineRow& r : rows.rows)
            if (r.id != 3) QVERIFY(rows.rows[static_cast<std::size_t>(own)].height >= 2 * r.height);
        QVERIFY(rows.height <= 190.01);
        QCOMPARE(rows.row_at(rows.rows[5].top + 1), 5);
    }

    void rowsGatherAboveThirtyTwo() {
        const Machine m = machine(1, 4, 8, 2);
        TimelineMetrics tm;
        tm.viewport = {800, 400};
        QCOMPARE(layout_rows(m, CpuId{0}, {}, tm).rows.size(), std::size_t{4});
        const TimelineRows open = layout_rows(m, CpuId{0}, {false, true}, tm);
        QCOMPARE(open.rows.size(), std::size_t{4 + 16});
        QCOMPARE(open.rows[1].open, true);
        QCOMPARE(open.row_of(CpuId{0}, m), 0); // its LLC is closed: the LLC's row stands for it
    }

    void logIsSearchedByTime() {
        const auto moment = test::crowded_queue();
        const RunIndex& index = moment->index;
        const auto all = log_range(index, 0, moment->state.now);
        QCOMPARE(all.first, std::uint64_t{0});
        QCOMPARE(all.second, std::uint64_t{4711});
        const auto part = log_range(index, 10'000'000, 20'000'000);
        QVERIFY(index.row(part.first).at >= 10'000'000 && index.row(part.first - 1).at < 10'000'000);
        QVERIFY(index.row(part.second - 1).at <= 20'000'000 && index.row(part.second).at > 20'000'000);
        std::uint64_t sum = 0;
        for (const std::uint64_t n : decision_density(index, axis(0, 120'000'000, 0, 300), 3)) sum += n;
        QCOMPARE(sum, std::uint64_t{4711});
    }
};

QTEST_APPLESS_MAIN(TestScene)
#include "test_scene.moc"
