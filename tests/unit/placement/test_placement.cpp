// SPDX-License-Identifier: GPL-3.0-or-later
// Placement worked out by hand. Of the small examples these are "wake_affine rows", the part of "Wake list" that other
// wakeups see (the list itself is the engine's), and "Mask draft, 2-task pipe".
#include <QtTest>

#include "core/placement/idle_mask.hpp"
#include "core/placement/idle_sibling.hpp"
#include "core/placement/wake_affine.hpp"
#include "core/state/idle.hpp"
#include "tests/support/many_cpus.hpp"

using namespace picknext;
using namespace picknext::placement;
using test::ManyCpus;

namespace {

constexpr CpuId cpu0{0}, cpu1{1}, cpu2{2}, cpu3{3};

MachineCounts four_cores() {
    MachineCounts n;
    n.cores = 4;
    return n;
}

Placement near(ManyCpus& m, TaskId task, CpuId prev, CpuId target) {
    Evidence<NullSink> why;
    return select_idle_sibling(m.st, m.st.settings, m.domains, Wake{.task = task, .prev = prev, .waker_cpu = cpu0}, target, why);
}

} // namespace

class TestPlacement : public QObject {
    Q_OBJECT
  private slots:
    void wakeAffineByWeight_data() {
        QTest::addColumn<int>("here");
        QTest::addColumn<int>("there");
        QTest::addColumn<int>("task");
        QTest::addColumn<bool>("sync");
        QTest::addColumn<bool>("taken");
        QTest::addColumn<qint64>("left");
        QTest::addColumn<qint64>("right");
        QTest::newRow("lighter here") << 1024 << 2048 << 512 << false << true << qint64{157'286'400} << qint64{169'869'312};
        QTest::newRow("lighter there") << 1024 << 1536 << 512 << false << false << qint64{157'286'400} << qint64{113'246'208};
        QTest::newRow("nothing, sync") << 0 << 0 << 0 << true << true << qint64{0} << qint64{1};
        QTest::newRow("nothing") << 0 << 0 << 0 << false << false << qint64{0} << qint64{0};
    }
    void wakeAffineByWeight() {
        QFETCH(int, here);
        QFETCH(int, there);
        QFETCH(int, task);
        QFETCH(bool, sync);
        QFETCH(bool, taken);
        QFETCH(qint64, left);
        QFETCH(qint64, right);
        for (const Kernel kernel : {Kernel::cfs_5_10, Kernel::cfs_6_1, Kernel::eevdf_6_12y}) {
            ManyCpus m(kernel, four_cores());
            const auto load = [](int v) { return static_cast<std::uint64_t>(v); };
            const TaskId wakee = m.task(load(task));
            // Two tasks on each CPU, so that neither is idle and the waker is not alone.
            for (const CpuId c : {cpu0, cpu1}) {
                m.on(c, 0);
                m.on(c, load(c == cpu0 ? here : there));
            }
            const Wake wake{.task = wakee, .prev = cpu1, .waker_cpu = cpu0, .sync = sync};
            const AffineInput in = gather_affine(m.st, m.domains, wake, m.domains.domain(m.domains.cpu(cpu0).base));
            Evidence<FullSink> why;
            QCOMPARE(placement::wake_affine(in, m.st.settings, why), taken ? cpu0 : cpu1);
            QCOMPARE(why.checks().back().id, Chk::waker_cpu_lighter);
            QCOMPARE(why.checks().back().left, left);
            QCOMPARE(why.checks().back().right, right);
        }
    }

    void manyPartnersAreWide() {
        Evidence<NullSink> why;
        const auto wide = [&](std::uint32_t a, std::uint32_t b) { return wake_wide(TaskId{0}, a, b, 4, why); };
        QVERIFY(wide(16, 4) && wide(4, 16));
        QVERIFY(!wide(15, 4)); // 4 * 4 is more
        QVERIFY(!wide(1000, 3));
    }

    void wakeesAreCounted() {
        const auto record = [](std::int64_t now, std::int64_t last, std::uint32_t flips, std::int32_t last_wakee) {
            return record_wakee(now, 250, TaskId{last_wakee}, flips, last, TaskId{7});
        };
        QCOMPARE(record(1250, 1000, 9, 7).flips, 9U); // exactly a second is not after it
        QCOMPARE(record(1251, 1000, 9, 7).flips, 4U);
        QCOMPARE(record(9999, 1000, 9, 7).flips, 4U); // once, however long ago
        QCOMPARE(record(1251, 1000, 9, 7).decay, 1251);
        QCOMPARE(record(1000, 1000, 9, 6).flips, 10U);
    }

    /// CPU 3 idles and a remote wakeup is on its list: from that instant it is idle for nobody else.
    void aPendingWakeupIsSeenAtOnce() {
        for (const Kernel kernel : {Kernel::cfs_5_12, Kernel::cfs_6_1, Kernel::eevdf_6_12y}) {
            ManyCpus m(kernel, four_cores());
            for (LlcShared& llc : m.st.llc_shared) llc.nr_idle_scan = 4;
            for (const CpuId c : {cpu0, cpu1, cpu2}) m.on(c);
            const TaskId wakee = m.task();
            QCOMPARE(near(m, wakee, cpu1, cpu1).cpu, cpu3);
            m.st.rq(cpu3).ttwu_pending = 1;
            QVERIFY(!idle_cpu(m.st, cpu3));
            QCOMPARE(near(m, wakee, cpu1, cpu1).cpu, cpu1);
            QCOMPARE(near(m, wakee, cpu3, cpu1).cpu, cpu1); // nor is it as the previous CPU
        }
    }

    /// A CPU between the dequeue of its last task and the switch to idle is not idle either.
    void aCpuThatSwitchesToIdleIsNotIdleYet() {
        ManyCpus m(Kernel::cfs_6_1, four_cores());
        const TaskId last = m.on(cpu3);
        m.detach(last, cpu3);
        QCOMPARE(m.st.rq(cpu3).nr_running, 0U);
        QVERIFY(!idle_cpu(m.st, cpu3));
        m.st.rq(cpu3).curr = TaskId::none();
        QVERIFY(idle_cpu(m.st, cpu3));
    }

    void maskDraft_data() {
        QTest::addColumn<IdleMask>("variant");
        QTest::addColumn<DraftTest>("test");
        QTest::addColumn<QString>("masks"); // after each of six round trips of wakeup and sleep
        QTest::addColumn<bool>("finds");
        QTest::newRow("as mailed") << IdleMask::draft << DraftTest::both << "1110 1100 1000 0000 0000 0000" << false;
        QTest::newRow("one test less") << IdleMask::draft << DraftTest::either << "1110 1100 1000 0000 0000 0000" << false;
        QTest::newRow("mended") << IdleMask::draft_fixed << DraftTest::both << "1111 1111 1111 1111 1111 1111" << true;
    }
    void maskDraft() {
        QFETCH(IdleMask, variant);
        QFETCH(DraftTest, test);
        QFETCH(QString, masks);
        QFETCH(bool, finds);
        ManyCpus m(Kernel::cfs_5_12, four_cores());
        m.st.settings.set(Patch::idle_mask, static_cast<int>(variant));
        m.st.settings.set(Patch::draft_test, static_cast<int>(test));
        balance::attach_domains(m.st, m.domains);
        const auto mask = [&] {
            QString out;
            for (const CpuId c : {cpu3, cpu2, cpu1, cpu0}) out += contains(m.st.llc_idle_cpus, c) ? '1' : '0';
            return out;
        };
        const auto hook = [&](CpuId c, MaskHook at) {
            Evidence<NullSink> why;
            placement::apply(m.st, c, decide_mask(m.st, m.st.settings, m.domains, c, at, {}, why));
        };
        QCOMPARE(mask(), QString("1111"));
        QStringList seen;
        for (const CpuId c : {cpu0, cpu1, cpu2, cpu3, cpu0, cpu1}) {
            hook(c, MaskHook::wakeup); // the wakeup chose it
            const TaskId task = m.on(c);
            m.detach(task, c);
            hook(c, MaskHook::switching_to_idle); // it still counts as running the task
            m.st.rq(c).curr = TaskId::none();
            seen += mask();
        }
        QCOMPARE(seen.join(' '), masks);
        // A wakeup that meets a busy CPU now finds one of the three idle ones, or stacks.
        m.st.settings.set(Feature::sis_prop, false);
        m.on(cpu0);
        QCOMPARE(near(m, m.task(), cpu0, cpu0).cpu, finds ? cpu1 : cpu0);
    }
};

QTEST_APPLESS_MAIN(TestPlacement)
#include "test_placement.moc"
