// SPDX-License-Identifier: GPL-3.0-or-later
// Painted views on moments built by hand: what a click, a key or assistive technology gets.
#include <QAccessible>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include "core/fair/views.hpp"
#include "tests/ui/support/moments.hpp"
#include "ui/painted/eligibility_line.hpp"
#include "ui/painted/machine_view.hpp"
#include "ui/painted/scrubber_view.hpp"
#include "ui/painted/timeline_view.hpp"
#include "ui/painted/tree_view.hpp"

using namespace picknext;
using namespace picknext::ui;

namespace {

template <class View>
struct Shown {
    explicit Shown(const std::shared_ptr<const Snapshot>& snapshot, CpuId cpu = CpuId{3}, QSize size = {800, 400}) {
        selection.setCpu(cpu);
        view.resize(size);
        view.setSnapshot(snapshot);
    }
    Selection selection;
    View view{&selection};
};

QPoint middle(const QRectF& r) { return r.center().toPoint(); }

void wheel(QWidget& w, const QPoint& at, int notches) {
    QWheelEvent e(at, w.mapToGlobal(at), QPoint(), QPoint(0, notches * 120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&w, &e);
}

int colours(const QImage& image) {
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

} // namespace

class TestPainted : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void nothingToShow() {
        Selection selection;
        MachineView machine(&selection);
        TreeView tree(&selection);
        EligibilityLine line(&selection);
        TimelineView timeline(&selection);
        ScrubberView scrubber(&selection);
        for (PaintedView* view : std::initializer_list<PaintedView*>{&machine, &tree, &line, &timeline, &scrubber}) {
            view->resize(300, 200);
            view->grab();
            for (const int key : {Qt::Key_Left, Qt::Key_Home, Qt::Key_Plus, Qt::Key_Down}) QTest::keyClick(view, static_cast<Qt::Key>(key));
            QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, QPoint(20, 20));
            QTest::mouseMove(view, QPoint(30, 30));
            wheel(*view, QPoint(20, 20), 1);
            QCOMPARE(view->itemCount(), 0);
            QVERIFY(!view->accessibleName().isEmpty());
        }
    }

    void clickSelectsCpu() {
        Shown<MachineView> s(test::crowded_queue());
        QTest::mouseClick(&s.view, Qt::LeftButton, Qt::NoModifier, middle(s.view.itemRect(13)));
        QCOMPARE(s.selection.cpu(), CpuId{13});
        QTest::keyClick(&s.view, Qt::Key_Left);
        QCOMPARE(s.selection.cpu(), CpuId{5}); // its sibling stands left of it
        QCOMPARE(s.view.itemName(5), QStringLiteral("CPU 5: idle, 0 queued"));
        QCOMPARE(s.view.itemName(13), QStringLiteral("CPU 13: idle, tick stopped, 0 queued"));
        QCOMPARE(s.view.itemName(3), QStringLiteral("CPU 3: runs cc1#0, 10 queued"));
    }

    void wheelZoomsTheMachine() {
        Shown<MachineView> s(test::busy_machine(2, 8, 8, 2, 10), CpuId{0}, {400, 400});
        QCOMPARE(s.view.scene().detail, CpuDetail::cell);
        const QPoint at = middle(s.view.itemRect(19));
        for (int i = 0; i < 12; ++i) wheel(s.view, at, 1);
        QCOMPARE(s.view.scene().detail, CpuDetail::full);
        QVERIFY(QRectF(s.view.rect()).intersects(s.view.itemRect(19))); // what was under the pointer stays in sight
        s.view.zoomToFit();
        QCOMPARE(s.view.scene().detail, CpuDetail::cell);
    }

    void treeNodeSelectsTask() {
        Shown<TreeView> s(test::crowded_queue());
        QCOMPARE(s.view.itemCount(), 9);
        QTest::mouseClick(&s.view, Qt::LeftButton, Qt::NoModifier, middle(s.view.itemRect(1)));
        QCOMPARE(s.selection.task(), TaskId{1}); // audio, xorg, kwin ...
    }

    void treeKeysFollowTheLinks() {
        Shown<TreeView> s(test::crowded_queue());
        QTest::keyClick(&s.view, Qt::Key_Home);
        QCOMPARE(s.selection.task(), TaskId{0}); // audio is leftmost
        QTest::keyClick(&s.view, Qt::Key_Up);
        QCOMPARE(s.selection.task(), TaskId{1}); // under xorg
        QTest::keyClick(&s.view, Qt::Key_Up);
        QCOMPARE(s.selection.task(), TaskId{4}); // under the root
        QTest::keyClick(&s.view, Qt::Key_End);
        QCOMPARE(s.selection.task(), TaskId{9});
    }

    void treeFindsByName() {
        Shown<TreeView> s(test::crowded_queue());
        QVERIFY(s.view.findTask(QStringLiteral("RSY")));
        QCOMPARE(s.selection.task(), TaskId{9});
        QVERIFY(!s.view.findTask(QStringLiteral("nobody")));
        QTest::keyClick(&s.view, Qt::Key_F, Qt::ControlModifier);
        auto* field = s.view.findChild<QLineEdit*>();
        QVERIFY(field != nullptr && field->isVisibleTo(&s.view));
    }

    void captionNamesV() {
        const auto moment = test::crowded_queue();
        Shown<TreeView> s(moment);
        // V from the numbers of the moment: ref 8412907, sum of w (v - ref) 17824496752, sum of w 12615
        QCOMPARE((fair::average_vruntime(moment->state.settings, moment->state, QueueId{3})), VTime{8'412'907 + 17'824'496'752 / 12'615});
        QVERIFY2(s.view.caption().contains(QStringLiteral("9\u202f825\u202f867")), qPrintable(s.view.caption()));
    }

    void hoverCardHasExactValues() {
        Shown<EligibilityLine> s(test::crowded_queue(), CpuId{3}, {800, 300});
        QCOMPARE(s.view.itemCount(), 10);
        QCOMPARE(s.view.rows().front(), EntityId{3}); // current first, then by deadline
        QCOMPARE(s.view.rows()[1], EntityId{0});
        QCOMPARE(s.view.rows().back(), EntityId{9});
        QVERIFY2(s.view.itemName(1).startsWith(QStringLiteral("audio: V − v −0.292")), qPrintable(s.view.itemName(1)));
        QVERIFY(s.view.itemName(1).endsWith(QStringLiteral("not eligible")));
        QTest::mouseClick(&s.view, Qt::LeftButton, Qt::NoModifier, middle(s.view.itemRect(4)));
        QCOMPARE(s.selection.task(), TaskId{6});
    }

    void sleepingCurrentIsNotQueued() {
        const auto moment = test::crowded_queue();
        moment->state.entity(TaskId{3}).on_rq = 0;
        Shown<EligibilityLine> s(moment);
        QCOMPARE(s.view.itemCount(), 9);
    }

    void emptyQueueSaysSo() {
        Shown<TreeView> s(test::crowded_queue(), CpuId{5});
        QCOMPARE(s.view.itemCount(), 0);
        QVERIFY(colours(s.view.grab().toImage()) > 2); // a sentence
    }

    void timelineTravels() {
        Shown<TimelineView> s(test::crowded_queue(), CpuId{3}, {1000, 200});
        s.view.showRange(80'000'000, 84'000'000);
        QSignalSpy travel(&s.view, &PaintedView::travelRequested), decision(&s.view, &PaintedView::decisionRequested);
        const double x = s.view.axis().x(82'000'000);
        QTest::mouseDClick(&s.view, Qt::LeftButton, Qt::NoModifier, QPoint(static_cast<int>(x), 100));
        QCOMPARE(travel.count(), 1);
        QVERIFY(qAbs(travel.at(0).at(0).toLongLong() - 82'000'000) <= static_cast<qint64>(s.view.axis().per_pixel()) + 1);
        QTest::keyClick(&s.view, Qt::Key_Left);
        QTest::keyClick(&s.view, Qt::Key_Right);
        QTest::keyClick(&s.view, Qt::Key_Home);
        QTest::keyClick(&s.view, Qt::Key_End);
        QList<quint64> asked;
        for (const auto& call : decision) asked << call.at(0).toULongLong();
        QCOMPARE(asked, (QList<quint64>{4710, 4712, 0, 4711}));
        const double before = s.view.axis().span();
        wheel(s.view, QPoint(500, 100), 1);
        QVERIFY(s.view.axis().span() < before);
    }

    void timelineSelectsLaneAndTask() {
        Shown<TimelineView> s(test::crowded_queue(), CpuId{3}, {1000, 200});
        const int own = s.view.currentItem();
        const QPoint at(static_cast<int>(s.view.axis().x(79'000'000)), middle(s.view.itemRect(own)).y());
        QTest::mouseClick(&s.view, Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(s.selection.task(), TaskId{1}); // xorg ran from 77 to 80 ms
        QTest::keyClick(&s.view, Qt::Key_Down);
        QCOMPARE(s.selection.cpu(), CpuId{11}); // its sibling
    }

    void largeMachineOpensTheLlcOfTheSelectedCpu() {
        Shown<TimelineView> s(test::busy_machine(2, 8, 8, 2, 100), CpuId{19}, {900, 700});
        QCOMPARE(s.view.itemCount(), 16 + 16);
        QCOMPARE(s.view.rows().rows[static_cast<std::size_t>(s.view.currentItem())].id, 19);
        s.view.activateItem(2); // the row of its LLC: closes
        QCOMPARE(s.view.itemCount(), 16);
    }

    void scrubberDrags() {
        Shown<ScrubberView> s(test::crowded_queue(), CpuId{3}, {1224, 62});
        QSignalSpy travel(&s.view, &PaintedView::travelRequested);
        QTest::mousePress(&s.view, Qt::LeftButton, Qt::NoModifier, QPoint(612, 35)); // half of 120 ms
        QCOMPARE(travel.count(), 1);
        QVERIFY(qAbs(travel.at(0).at(0).toLongLong() - 60'000'000) < 200'000);
        QTest::mouseClick(&s.view, Qt::LeftButton, Qt::NoModifier, middle(s.view.itemRect(0).intersected(QRectF(0, 0, 1224, 16))));
        QCOMPARE(travel.last().at(0).toLongLong(), qint64{9'700'000}); // exactly the bookmark's moment
    }

    void stepByCheckHidesWhatIsNotSeenYet() {
        const auto moment = test::crowded_queue();
        QCOMPARE(picked_from(*moment, QueueId{3}), moment->state.tasks[6].entity);
        moment->position.check = 4;
        QCOMPARE(picked_from(*moment, QueueId{3}), EntityId::none());
        QCOMPARE(checks_seen(*moment).size(), std::size_t{4});
    }

    void waitingTasksAreIndexed() {
        auto scenario = std::make_shared<Scenario>();
        scenario->machine = build_machine(MachineCounts()).value(); // one CPU
        scenario->settings = default_settings(Kernel::eevdf_6_12y, 1);
        TaskSpec spec;
        spec.name = "worker";
        spec.count = 3;
        Phase phase;
        phase.loop = forever;
        phase.ops.emplace_back();
        phase.ops.back().amount.a = 1'000'000'000;
        spec.phases.push_back(phase);
        scenario->workload.tasks.push_back(spec);
        scenario->until_ns = 50'000'000;
        Timeline timeline(scenario);
        timeline.seek_time(40'000'000);
        const RunIndex index = timeline.snapshot()->index;
        QCOMPARE(index.waiting.size(), std::size_t{1});
        const WaitStep last = index.waiting[0]->back(); // one runs, two wait, from the start to the end
        QCOMPARE(last.tasks, 2U);
        QVERIFY(last.at < 1'000'000);
    }

    void groupPickShowsTheGroupsQueue() {
        const auto moment = test::crowded_queue();
        QCOMPARE(queue_in_view(*moment, CpuId{3}), QueueId{3});
        moment->state.queues.push_back(moment->state.queues[3]);
        moment->state.entity(TaskId{6}).queue = QueueId{16};
        QCOMPARE(queue_in_view(*moment, CpuId{3}), QueueId{16});
        QCOMPARE(queue_in_view(*moment, CpuId{4}), QueueId{4}); // the pick is not on this CPU
    }

    void itemsAreAccessible() {
        Shown<MachineView> s(test::crowded_queue());
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&s.view);
        QVERIFY(list != nullptr);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->childCount(), 16);
        QAccessibleInterface* cpu = list->child(12);
        QCOMPARE(cpu->text(QAccessible::Name), QStringLiteral("CPU 12: idle, 0 queued"));
        QCOMPARE(list->indexOfChild(cpu), 12);
        cpu->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(s.selection.cpu(), CpuId{12});
        QVERIFY(cpu->state().selected);
    }

    void everySizePaints_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1, 1), QSize(10, 400), QSize(400, 10), QSize(150, 80), QSize(1900, 1000)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }
    void everySizePaints() {
        QFETCH(QSize, size);
        for (const auto& moment : {test::crowded_queue(), test::busy_machine(2, 4, 8, 2, 50), test::long_queue(3'000)}) {
            Selection selection;
            MachineView machine(&selection);
            TreeView tree(&selection);
            EligibilityLine line(&selection);
            TimelineView timeline(&selection);
            ScrubberView scrubber(&selection);
            for (PaintedView* view : std::initializer_list<PaintedView*>{&machine, &tree, &line, &timeline, &scrubber}) {
                view->setMinimumSize(0, 0);
                view->resize(size);
                view->setSnapshot(moment);
                QCOMPARE(view->grab().size(), size * view->devicePixelRatioF());
            }
        }
    }

    void cfsHasNoDeadline() {
        const auto moment = test::crowded_queue();
        moment->state.settings = default_settings(Kernel::cfs_6_1, 16);
        moment->header.kind = Kind::count;
        Shown<EligibilityLine> s(moment);
        for (const LineBar& bar : s.view.scene().bars) QCOMPARE(bar.rect.width(), 0.0);
        s.view.grab();
        Shown<TreeView> tree(moment);
        QVERIFY(tree.view.caption().contains(QStringLiteral("min_vruntime")));
        tree.view.grab();
    }
};

QTEST_MAIN(TestPainted)
#include "test_painted.moc"
