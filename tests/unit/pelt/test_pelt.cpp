// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of load tracking worked out by hand: decay, updates, new tasks, attaching, groups, estimates.
#include <QtTest>

#include <cmath>

#include "core/pelt/pelt.hpp"

using namespace picknext;

namespace {

constexpr std::uint64_t period = 1'048'576; // ns
constexpr CpuId cpu{0};
constexpr QueueId root{0};

/// One nice-0 task that always runs, updated to `now`.
void run_to(LoadAvg& a, std::uint64_t now) {
    if (pelt::advance(a, now, {1, 1, true})) pelt::renew(a, 1024);
}
void block_to(LoadAvg& a, std::uint64_t now) {
    if (pelt::advance(a, now, {0, 0, false})) pelt::renew(a, 1024);
}

State one_cpu(Kernel kernel) {
    State st;
    st.settings = default_settings(kernel, 1);
    st.masks = {1};
    st.rqs.resize(1);
    st.queues.resize(1);
    st.queues[0].cpu = cpu;
    st.groups.resize(1);
    st.groups[0].first_queue = root;
    return st;
}

EntityId add_entity(State& st, std::uint64_t coarse_weight) {
    Entity e;
    e.weight = Weight{coarse_weight << 10};
    e.queue = root;
    e.task = TaskId{0};
    st.entities.push_back(e);
    const EntityId id{st.entities.size() - 1};
    pelt::init_entity(st.entity(id));
    return id;
}

TaskId add_task(State& st, std::uint64_t coarse_weight) {
    Task t;
    t.entity = add_entity(st, coarse_weight);
    t.cpu = cpu;
    st.tasks.push_back(t);
    return TaskId{st.tasks.size() - 1};
}

/// A group's queue under the root with its entity.
QueueId add_group(State& st) {
    const EntityId owner = add_entity(st, 1024);
    Queue q;
    q.cpu = cpu;
    q.group = GroupId{st.groups.size()};
    q.owner = owner;
    st.queues.push_back(q);
    const QueueId id{st.queues.size() - 1};
    st.entity(owner).my_queue = id;
    st.entity(owner).task = TaskId::none();
    pelt::init_entity(st.entity(owner));
    Group g;
    g.first_entity = owner;
    g.first_queue = id;
    st.groups.push_back(g);
    return id;
}

Kernel kernel_of(int k) { return static_cast<Kernel>(k); }

} // namespace

class TestPelt : public QObject {
    Q_OBJECT

  private slots:
    void decay() {
        QCOMPARE(pelt::decay(1024, 32), std::uint64_t{511}); // the first factor is not 1.0
        QCOMPARE(pelt::decay(std::uint64_t{1} << 30, 320), std::uint64_t{1'048'575});
        QCOMPARE(pelt::decay(1024, 1), std::uint64_t{1002});
        QCOMPARE(pelt::decay(47742, 1), std::uint64_t{46718});
        QCOMPARE(pelt::decay(1000, 33), std::uint64_t{489});
        QCOMPARE(pelt::decay(UINT64_MAX, 2015), std::uint64_t{1}); // 3 * 0.51
        QCOMPARE(pelt::decay(UINT64_MAX, 2017), std::uint64_t{0});
    }

    void decayFactorsAreThirtySecondRootsOfOneHalf() {
        for (unsigned i = 0; i < 32; ++i) {
            const auto factor = static_cast<std::uint64_t>(std::floor(4294967295.0 * std::exp2(-static_cast<double>(i) / 32)));
            QCOMPARE(pelt::decay(std::uint64_t{1} << 32, i), factor);
        }
    }

    void theSeriesConvergesToItsMaximum() {
        std::uint64_t sum = 1024;
        int steps = 0;
        for (; pelt::decay(sum, 1) + 1024 != sum; ++steps) {
            if (steps == 345) QCOMPARE(sum, std::uint64_t{47741});
            sum = pelt::decay(sum, 1) + 1024;
        }
        QCOMPARE(sum, std::uint64_t{pelt::sum_max});
        QCOMPARE(steps, 346);
        QCOMPARE(pelt::min_divider, pelt::sum_max - 1024);
    }

    void noPeriodCrossed() {
        LoadAvg a;
        run_to(a, 1'000'000);
        QCOMPARE(a.load_sum, std::uint64_t{976});
        QCOMPARE(a.util_sum, 999424U);
        QCOMPARE(a.util_avg, std::uint64_t{0});
        QCOMPARE(a.period_contrib, 976U);
        QCOMPARE(a.last_update, std::uint64_t{999424});
        run_to(a, 2'000'000);
        QCOMPARE(a.load_sum, std::uint64_t{1930});
        QCOMPARE(a.util_sum, 1'976'408U);
        QCOMPARE(a.util_avg, std::uint64_t{41});
        QCOMPARE(a.load_avg, std::uint64_t{41});
        QCOMPARE(a.period_contrib, 929U);
    }

    void runningInOneStep_data() {
        QTest::addColumn<int>("periods");
        QTest::addColumn<int>("load_sum");
        QTest::addColumn<int>("util_sum");
        QTest::addColumn<int>("average");
        QTest::newRow("1") << 1 << 1002 << 1'026'048 << 21;
        QTest::newRow("4") << 4 << 3878 << 3'971'072 << 85;
        QTest::newRow("8") << 8 << 7433 << 7'611'392 << 162;
        QTest::newRow("16") << 16 << 13684 << 14'012'416 << 299;
        QTest::newRow("32") << 32 << 23359 << 23'919'616 << 512;
        QTest::newRow("64") << 64 << 35039 << 35'879'936 << 768;
        QTest::newRow("128") << 128 << 43799 << 44'850'176 << 960;
        QTest::newRow("345") << 345 << 46692 << 47'812'608 << 1023;
    }
    void runningInOneStep() {
        QFETCH(int, periods);
        QFETCH(int, load_sum);
        QFETCH(int, util_sum);
        QFETCH(int, average);
        LoadAvg a;
        run_to(a, static_cast<std::uint64_t>(periods) * period);
        QCOMPARE(static_cast<int>(a.load_sum), load_sum);
        QCOMPARE(static_cast<int>(a.util_sum), util_sum);
        QCOMPARE(static_cast<int>(a.util_avg), average);
        QCOMPARE(static_cast<int>(a.load_avg), average);
    }

    void manyStepsDifferFromOne() {
        LoadAvg a;
        for (std::uint64_t i = 1; i <= 32; ++i) run_to(a, i * period);
        QCOMPARE(a.load_sum, std::uint64_t{23369});
        QCOMPARE(a.util_sum, 23'941'816U);
        QCOMPARE(a.util_avg, std::uint64_t{512});
    }

    void blockedLoadDecays() {
        LoadAvg full;
        run_to(full, 345 * period);
        LoadAvg a = full;
        block_to(a, 346 * period);
        QCOMPARE(a.load_sum, std::uint64_t{45691});
        QCOMPARE(a.util_sum, 46'788'082U);
        QCOMPARE(a.util_avg, std::uint64_t{1001});
        a = full;
        block_to(a, (345 + 32) * period);
        QCOMPARE(a.load_sum, std::uint64_t{23345});
        QCOMPARE(a.util_sum, 23'906'303U);
        QCOMPARE(a.util_avg, std::uint64_t{511});

        a = full;
        std::uint64_t averages_gone = 0, sums_gone = 0;
        for (std::uint64_t i = 1; sums_gone == 0; ++i) {
            block_to(a, (345 + i) * period);
            if (averages_gone == 0 && a.util_avg == 0 && a.load_avg == 0) averages_gone = i;
            if (a.load_sum == 0 && a.util_sum == 0) sums_gone = i;
        }
        QCOMPARE(averages_gone, std::uint64_t{320});
        QCOMPARE(sums_gone, std::uint64_t{666});
    }

    void waitingCountsAsRunnable() {
        LoadAvg a;
        if (pelt::advance(a, 10 * period, {1, 1, false})) pelt::renew(a, 1024);
        QCOMPARE(a.load_avg, std::uint64_t{199});
        QCOMPARE(a.runnable_avg, std::uint64_t{199});
        QCOMPARE(a.util_avg, std::uint64_t{0});
    }

    void aQueueOfTwoIsWeighted() {
        LoadAvg q;
        if (pelt::advance(q, 10 * period, {2048, 2, true})) pelt::renew(q, 1);
        QCOMPARE(q.load_sum, std::uint64_t{18'632'704});
        QCOMPARE(q.load_avg, std::uint64_t{398});
        QCOMPARE(q.runnable_avg, std::uint64_t{398});
        QCOMPARE(q.util_avg, std::uint64_t{199});
    }

    /// 16 periods on, 16 off, with one update per half cycle or one per period.
    void halfDutySettles() {
        for (const auto& [step, most] : {std::pair{16, 599}, std::pair{1, 600}}) {
            LoadAvg a;
            std::uint64_t low = 0, high = 0, now = 0;
            for (int cycle = 0; cycle < 100; ++cycle) {
                for (int p = 0; p < 16; p += step) run_to(a, now += static_cast<std::uint64_t>(step) * period);
                high = a.util_avg;
                for (int p = 0; p < 16; p += step) block_to(a, now += static_cast<std::uint64_t>(step) * period);
                low = a.util_avg;
            }
            QCOMPARE(low, std::uint64_t{424});
            QCOMPARE(static_cast<int>(high), most);
        }
    }

    void timeGoingBackOnlyMovesTheClock() {
        LoadAvg a;
        run_to(a, 5 * period);
        const LoadAvg before = a;
        QVERIFY(!pelt::advance(a, 3 * period, {1, 1, true}));
        QCOMPARE(a.last_update, 3 * period);
        a.last_update = before.last_update;
        QVERIFY(a == before);
    }

    void aSlowCpusTimePassesSlowly() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        add_task(st, 1024);
        Rq& rq = st.rqs[0];
        rq.capacity = 512;
        rq.curr = TaskId{0};
        rq.clock = 1'000'000;
        pelt::update_clock(rq, 1'000'000);
        QCOMPARE(pelt::clock(st, cpu), std::uint64_t{500'000});
        rq.clock = 2'000'000;
        pelt::update_clock(rq, 1'000'000);
        QCOMPARE(pelt::clock(st, cpu), std::uint64_t{1'000'000});
        pelt::going_idle(st, cpu); // with time to spare it catches up
        QCOMPARE(pelt::clock(st, cpu), std::uint64_t{2'000'000});
        rq.capacity = 1024;
        pelt::update_clock(rq, 1'000'000);
        QCOMPARE(rq.pelt_behind, std::uint64_t{0});
    }

    void whatAFullyBusyCpuIsBehindIsLost() {
        for (const auto& [util_sum, lost] : {std::pair{47'791'489U, 0}, std::pair{47'791'490U, 1000}}) {
            State st = one_cpu(Kernel::eevdf_6_12y);
            st.rqs[0].clock = 5000;
            st.rqs[0].pelt_behind = 1000;
            st.queues[0].avg.util_sum = util_sum;
            pelt::going_idle(st, cpu);
            QCOMPARE(static_cast<int>(st.rqs[0].pelt_lost), lost);
            QCOMPARE(static_cast<int>(pelt::clock(st, cpu)), 5000 - lost);
        }
    }

    void newTask_data() {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("queue_util");
        QTest::addColumn<int>("queue_load");
        QTest::addColumn<int>("util");
        const auto row = [](const char* name, Kernel k, int queue_util, int queue_load, int util) {
            QTest::newRow(name) << static_cast<int>(k) << queue_util << queue_load << util;
        };
        row("empty queue", Kernel::eevdf_6_12y, 0, 0, 512);
        row("6.1: fine weight, the cap", Kernel::cfs_6_1, 100, 2048, 462);
        row("6.8: fine weight, the cap", Kernel::eevdf_6_8, 100, 2048, 462);
        row("6.12: coarse weight", Kernel::eevdf_6_12, 100, 2048, 49);
        row("6.12y: coarse weight", Kernel::eevdf_6_12y, 100, 2048, 49);
        row("6.1: half used", Kernel::cfs_6_1, 512, 1024, 256);
        row("6.12y: half used", Kernel::eevdf_6_12y, 512, 1024, 256);
        row("6.1: full", Kernel::cfs_6_1, 1024, 1024, 0);
        row("6.12y: full", Kernel::eevdf_6_12y, 1024, 1024, 0);
    }
    void newTask() {
        QFETCH(int, kernel);
        QFETCH(int, queue_util);
        QFETCH(int, queue_load);
        QFETCH(int, util);
        State st = one_cpu(kernel_of(kernel));
        st.queues[0].avg.util_avg = static_cast<std::uint64_t>(queue_util);
        st.queues[0].avg.load_avg = static_cast<std::uint64_t>(queue_load);
        const EntityId e = add_entity(st, 1024);
        pelt::init_utilization(st, e, root);
        QCOMPARE(static_cast<int>(st.entity(e).avg.util_avg), util);
        QCOMPARE(static_cast<int>(st.entity(e).avg.runnable_avg), util);
        QCOMPARE(st.entity(e).avg.load_avg, std::uint64_t{1024});
    }

    void attachAndDetach() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        st.queues[0].avg.period_contrib = 300;
        st.queues[0].avg.last_update = 77'824;
        const EntityId e = add_entity(st, 1024);
        LoadAvg& a = st.entity(e).avg;
        a.util_avg = 200;
        a.load_avg = 512;
        pelt::attach(st, root, e);
        QCOMPARE(pelt::divider(a), 47018U);
        QCOMPARE(a.util_sum, 9'403'600U);
        QCOMPARE(a.load_sum, std::uint64_t{23509});
        QCOMPARE(a.last_update, std::uint64_t{77'824});
        const LoadAvg& q = st.queues[0].avg;
        QCOMPARE(q.load_sum, std::uint64_t{23509} * 1024);
        QCOMPARE(q.load_avg, std::uint64_t{512});
        QCOMPARE(q.util_avg, std::uint64_t{200});
        QCOMPARE(st.queues[0].propagate_sum, std::int64_t{23509});

        pelt::detach(st, root, e);
        QCOMPARE(q.load_avg, std::uint64_t{0});
        QCOMPARE(q.load_sum, std::uint64_t{0});
        QCOMPARE(q.util_avg, std::uint64_t{0});
        QCOMPARE(q.util_sum, 0U);
        QCOMPARE(st.queues[0].propagate_sum, std::int64_t{0});
        QCOMPARE(st.entity(e).avg.last_update, std::uint64_t{0});
    }

    void aLoadTooSmallToTellStillCountsOne() {
        for (const auto& [kernel, sum] : {std::pair{Kernel::cfs_5_12, 0}, std::pair{Kernel::cfs_6_1, 1}}) {
            State st = one_cpu(kernel);
            const EntityId e = add_entity(st, 1024);
            st.entity(e).avg.load_avg = 0;
            pelt::attach(st, root, e);
            QCOMPARE(static_cast<int>(st.entity(e).avg.load_sum), sum);
        }
    }

    void theFloorOfASumIsThirtyTwoBitsWide() {
        State st = one_cpu(Kernel::cfs_6_1);
        st.queues[0].avg.load_sum = (std::uint64_t{1} << 32) + 5000; // a coarse weight above 89,962
        st.queues[0].avg.load_avg = 90'000;
        const EntityId e = add_entity(st, 1024);
        st.entity(e).avg = LoadAvg{};
        pelt::reweight(st, e, nice_0_weight);
        QCOMPARE(st.queues[0].avg.load_sum, std::uint64_t{static_cast<std::uint32_t>(90'000ULL * 46718)});
        st = one_cpu(Kernel::cfs_5_12); // no floor at all
        st.queues[0].avg.load_sum = (std::uint64_t{1} << 32) + 5000;
        pelt::reweight(st, add_entity(st, 1024), nice_0_weight);
        QCOMPARE(st.queues[0].avg.load_sum, (std::uint64_t{1} << 32) + 5000);
    }

    void reweightMovesTheLoadWithIt() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        const EntityId e = add_entity(st, 1024);
        st.entity(e).avg.load_avg = 1024;
        pelt::attach(st, root, e);
        pelt::reweight(st, e, Weight{335 << 10});
        QCOMPARE(st.entity(e).avg.load_avg, std::uint64_t{335});
        QCOMPARE(st.queues[0].avg.load_avg, std::uint64_t{335});
        QCOMPARE(st.entity(e).inv_weight, 0U);
    }

    void whatLeftIsTakenOutAtTheNextUpdate() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        const EntityId e = add_entity(st, 1024);
        st.entity(e).avg.util_avg = 300;
        st.rqs[0].clock = static_cast<std::int64_t>(4 * period);
        pelt::update_load(st, e, pelt::Attach::if_new);
        QCOMPARE(st.queues[0].avg.util_avg, std::uint64_t{300});
        pelt::remove(st, e);
        QCOMPARE(st.queues[0].avg.util_avg, std::uint64_t{300}); // still
        QVERIFY(pelt::update_queue(st, root));
        QCOMPARE(st.queues[0].avg.util_avg, std::uint64_t{0});
        QCOMPARE(st.queues[0].avg.load_avg, std::uint64_t{0});
        QCOMPARE(st.queues[0].removed_nr, std::uint64_t{0});
    }

    void groupWeights() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        const QueueId g = add_group(st);
        Queue& q = st.queue(g);
        const auto weight = [&](std::uint64_t queued, std::uint64_t load_avg, std::uint64_t sum, std::uint64_t contribution) {
            q.weight = Weight{queued << 10};
            q.avg.load_avg = load_avg;
            st.groups[1].load_avg = sum;
            q.tg_load_contrib = contribution;
            return pelt::group_weight(st, g).fine;
        };
        QCOMPARE(weight(1024, 1024, 2048, 1024), std::uint64_t{524'288}); // as much on another CPU
        QCOMPARE(weight(1024, 1024, 3072, 1024), std::uint64_t{349'525});
        QCOMPARE(weight(1024, 1024, 1024, 1024), std::uint64_t{1'048'576}); // alone
        QCOMPARE(weight(2048, 2048, 3000, 1500), std::uint64_t{605'265});
        QCOMPARE(weight(0, 0, 1024, 0), std::uint64_t{2});
        QCOMPARE(weight(0, 0, 0, 0), std::uint64_t{2});
        st.groups[1].shares = Weight{15 << 10};
        QCOMPARE(weight(1024, 1024, 8 * 1024, 1024), std::uint64_t{1920});
    }

    void groupLoadFollowsLargeChangesOnly_data() {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<qint64>("clock");
        QTest::addColumn<int>("load");
        QTest::addColumn<int>("sum");
        const auto row = [](const char* name, Kernel k, qint64 clock, int load, int sum) {
            QTest::newRow(name) << static_cast<int>(k) << clock << load << sum;
        };
        row("6.1: exactly 1/64", Kernel::cfs_6_1, 2'000'000, 6500, 6400);
        row("6.1: above 1/64", Kernel::cfs_6_1, 2'000'000, 6501, 6501);
        row("6.1: no time limit", Kernel::cfs_6_1, 2'000'000, 0, 0);
        row("6.6.9: no time limit", Kernel::eevdf_6_6, 2'000'000, 0, 0);
        row("6.8: within 1 ms", Kernel::eevdf_6_8, 2'499'999, 0, 6400);
        row("6.8: after 1 ms", Kernel::eevdf_6_8, 2'500'000, 0, 0);
        row("6.12y: within 1 ms", Kernel::eevdf_6_12y, 2'499'999, 0, 6400);
        row("6.12y: 1/64 after 1 ms", Kernel::eevdf_6_12y, 2'500'000, 6500, 6400);
    }
    void groupLoadFollowsLargeChangesOnly() {
        QFETCH(int, kernel);
        QFETCH(qint64, clock);
        QFETCH(int, load);
        QFETCH(int, sum);
        State st = one_cpu(kernel_of(kernel));
        const QueueId g = add_group(st);
        Queue& q = st.queue(g);
        q.tg_load_contrib = 6400;
        st.groups[1].load_avg = 6400;
        q.last_tg_update = 1'500'000;
        st.rqs[0].clock = clock;
        q.avg.load_avg = static_cast<std::uint64_t>(load);
        pelt::update_group_load(st, g);
        QCOMPARE(static_cast<int>(st.groups[1].load_avg), sum);
    }

    void aRunStartsItsClockAboveZero() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        st.pelt_epoch = pelt_clock_start;
        const EntityId e = add_entity(st, 1024);
        pelt::update_load(st, e, pelt::Attach::if_new); // at time 0
        QVERIFY(st.entity(e).avg.last_update != 0);
        st.entity(e).on_rq = 1;
        st.queues[0].curr = e;
        st.queues[0].weight = nice_0_weight;
        st.queues[0].h_nr_runnable = 1;
        st.rqs[0].clock = static_cast<std::int64_t>(32 * period);
        pelt::update_load(st, e, pelt::Attach::if_new);
        QCOMPARE(st.entity(e).avg.util_avg, std::uint64_t{512});
        QCOMPARE(st.queues[0].avg.load_avg, st.entity(e).avg.load_avg); // attached once
    }

    void blockedGroupsDecayToNothing() {
        State st = one_cpu(Kernel::eevdf_6_12y);
        st.pelt_epoch = pelt_clock_start;
        const QueueId g = add_group(st);
        pelt::attach_new(st, st.queue(g).owner);
        const EntityId e = add_entity(st, 1024);
        st.entity(e).queue = g;
        st.entity(e).parent = st.queue(g).owner;
        st.entity(e).avg.util_avg = 512;
        pelt::attach_new(st, e);
        QCOMPARE(st.queue(g).avg.util_avg, std::uint64_t{512});
        QCOMPARE(st.queues[0].avg.util_avg, std::uint64_t{512}); // through the group's entity
        int passes = 0;
        for (bool left = true; left && passes < 1000; ++passes) {
            st.rqs[0].clock += static_cast<std::int64_t>(period);
            left = pelt::update_blocked(st, cpu);
        }
        QVERIFY2(passes > 200 && passes < 400, qPrintable(QString::number(passes)));
        QCOMPARE(st.queues[0].avg.util_avg + st.queue(g).avg.util_avg + st.queue(g).avg.load_avg, std::uint64_t{0});
    }

    void estimates_data() {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("estimate");
        QTest::addColumn<int>("util");
        QTest::addColumn<int>("runnable");
        QTest::addColumn<int>("result");
        const auto row = [](const char* name, Kernel k, int estimate, int util, int runnable, int result) {
            QTest::newRow(name) << static_cast<int>(k) << estimate << util << runnable << result;
        };
        row("6.12: a quarter of the way down", Kernel::eevdf_6_12y, 400, 300, 300, 375);
        row("6.12: up at once", Kernel::eevdf_6_12y, 400, 500, 500, 500);
        row("6.12: within the margin", Kernel::eevdf_6_12y, 400, 391, 391, 400);
        row("6.12: it waited", Kernel::eevdf_6_12y, 400, 300, 311, 400);
        row("6.1: a quarter of the way down", Kernel::cfs_6_1, 400, 300, 300, 375);
        row("6.1: up at once", Kernel::cfs_6_1, 400, 500, 500, 500);
    }
    void estimates() {
        QFETCH(int, kernel);
        QFETCH(int, estimate);
        QFETCH(int, util);
        QFETCH(int, runnable);
        QFETCH(int, result);
        State st = one_cpu(kernel_of(kernel));
        const TaskId t = add_task(st, 1024);
        LoadAvg& a = st.entity(t).avg;
        a.util_est = static_cast<std::uint32_t>(estimate);
        if (st.settings.kernel < Kernel::eevdf_6_8) a.util_est_ewma = static_cast<std::uint32_t>(estimate);
        a.util_avg = static_cast<std::uint64_t>(util);
        a.runnable_avg = static_cast<std::uint64_t>(runnable);
        pelt::util_est_update(st, t, false);
        QCOMPARE(static_cast<int>(pelt::task_util_est(st, t)), estimate); // only a sleep counts
        pelt::util_est_update(st, t, true);
        QCOMPARE(static_cast<int>(pelt::task_util_est(st, t)), result);
        pelt::util_est_update(st, t, true); // its utilisation has not changed since
        QCOMPARE(static_cast<int>(pelt::task_util_est(st, t)), result);

        pelt::util_est_enqueue(st, t);
        QCOMPARE(static_cast<int>(st.queues[0].avg.util_est), result);
        pelt::util_est_dequeue(st, t);
        pelt::util_est_dequeue(st, t);
        QCOMPARE(st.queues[0].avg.util_est, 0U);
    }
};

QTEST_APPLESS_MAIN(TestPelt)
#include "test_pelt.moc"
