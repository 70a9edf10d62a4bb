// SPDX-License-Identifier: GPL-3.0-or-later
// Pipes and sockets: how much fits, who waits and who is woken.
#include <QTest>

#include "core/engine/channel.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext {
namespace {

using engine::decide_read;
using engine::decide_write;
using engine::Transfer;

constexpr std::int64_t us = 1'000, ms = 1'000'000;
constexpr std::int64_t nobody = 0;

ResourceSpec channel(ResourceKind kind, std::int64_t capacity = 0) { return {.name = "c", .kind = kind, .initial = capacity}; }

/// Writes until one does not fit; how many did.
int fill(const ResourceSpec& spec, Resource& state, std::int64_t bytes) {
    int written = 0;
    for (Transfer t = decide_write(spec, state, bytes, nobody, false); t.done && !t.dropped; t = decide_write(spec, state, bytes, nobody, false)) {
        state = t.after;
        ++written;
    }
    return written;
}

Op op(OpKind kind, std::int64_t amount) {
    Op o;
    o.kind = kind;
    o.resource = 0;
    o.bytes = amount;
    o.amount.a = amount;
    return o;
}
TaskSpec task(const char* name, int cpu, std::vector<Op> ops) {
    TaskSpec t;
    t.name = name;
    t.loop = 1;
    t.affinity.add(CpuId{cpu});
    t.phases.emplace_back();
    t.phases[0].ops = std::move(ops);
    return t;
}
State run(std::vector<TaskSpec> tasks, ResourceSpec resource, std::int64_t until) {
    Scenario s = test::scenario_of(Kernel::cfs_6_1, test::flat_machine(4), std::move(tasks));
    s.workload.resources.push_back(std::move(resource));
    Engine engine(test::shared(std::move(s)));
    NullSink sink;
    engine.run({.time = until}, sink);
    return engine.state();
}

class TestChannel final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    /// 16 buffers of 4096 bytes; a message joins the last one if it fits entirely: 40 of 100 bytes, so 640.
    void pipeCapacity_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("messages");
        QTest::newRow("hackbench's") << 100 << 640;
        QTest::newRow("sched pipe's") << 4 << 16 * 1024;
        QTest::newRow("one and a half do not fit in a buffer") << 3000 << 16;
        QTest::newRow("a buffer each") << 4096 << 16;
        QTest::newRow("odd ends share buffers: 1, 1 + joined, 2 ...") << 4096 + 2048 << 10; // 3 buffers hold 2: 5 * 3 = 15, one more needs 2
        QTest::newRow("two buffers each") << 5000 + 3000 << 8;
        QTest::newRow("all at once") << 65536 << 1;
        QTest::newRow("never") << 65537 << 0;
    }
    void pipeCapacity() {
        QFETCH(int, bytes);
        QFETCH(int, messages);
        Resource state;
        QCOMPARE(fill(channel(ResourceKind::pipe), state, bytes), messages);
        QCOMPARE(state.value, static_cast<std::int64_t>(bytes) * messages);
        // Read back, it is as empty as before, and takes as many again.
        for (int i = 0; i < messages; ++i) state = decide_read(channel(ResourceKind::pipe), state, bytes, nobody, false).after;
        QVERIFY(state == Resource{});
        QCOMPARE(fill(channel(ResourceKind::pipe), state, bytes), messages);
    }
    void otherCapacities() {
        Resource small, unix_socket, tcp, udp;
        QCOMPARE(fill(channel(ResourceKind::pipe, 8192), small, 100), 80);
        QCOMPARE(fill(channel(ResourceKind::unix_socket), unix_socket, 100), 278);
        QCOMPARE(fill(channel(ResourceKind::tcp_socket), tcp, 16384), 16);
        QCOMPARE(fill(channel(ResourceKind::udp_socket), udp, 65507), 3);
        const Transfer lost = decide_write(channel(ResourceKind::udp_socket), udp, 65507, nobody, false);
        QVERIFY(lost.done && lost.dropped && !lost.wakes_reader && lost.after == udp); // UDP never waits
    }

    void aWriteWakesAReaderOfAnEmptyPipeOnly() {
        const ResourceSpec pipe = channel(ResourceKind::pipe);
        const Transfer first = decide_write(pipe, {}, 100, 100, false);
        QVERIFY(first.wakes_reader && !first.wakes_writer);
        QVERIFY(!decide_write(pipe, {}, 100, nobody, false).wakes_reader);
        // The reader that came too late for the first message waits again; the pipe is not empty when the next is written.
        QVERIFY(!decide_write(pipe, first.after, 100, 100, false).wakes_reader);
        // It asks for more than there was: only the message that completes it wakes.
        QVERIFY(!decide_write(pipe, {}, 100, 200, false).wakes_reader);
        QVERIFY(decide_write(pipe, first.after, 100, 200, false).wakes_reader);
    }
    /// Up to 40 wakeups for a buffer: each read of a full pipe wakes a writer, and only the 40th makes room.
    void aReadWakesAWriterOfAFullPipe() {
        const ResourceSpec pipe = channel(ResourceKind::pipe);
        Resource state;
        fill(pipe, state, 100);
        int wakeups = 0, reads = 0;
        while (!decide_write(pipe, state, 100, nobody, false).done) {
            const Transfer t = decide_read(pipe, state, 100, 100, false);
            state = t.after;
            ++reads;
            wakeups += t.wakes_writer ? 1 : 0;
        }
        QCOMPARE(reads, 40);
        QCOMPARE(wakeups, 40);
        QVERIFY(!decide_read(pipe, state, 100, 100, false).wakes_writer); // a buffer is free: nobody is woken until it is used
        Resource refilled = state;
        QCOMPARE(fill(pipe, refilled, 100), 40);
    }
    void longWritesAreWokenUntilTheyFit() { // 3 buffers each: 5 fit, and one buffer stays free
        const ResourceSpec pipe = channel(ResourceKind::pipe);
        Resource state;
        QCOMPARE(fill(pipe, state, 12288), 5);
        const Transfer t = decide_read(pipe, state, 12288, 12288, false);
        QVERIFY(t.wakes_writer); // 15 of 16 are used, too many for who waits
        QVERIFY(!decide_read(pipe, state, 12288, 100, false).wakes_writer);
        QCOMPARE(t.after.buffers, 12U);
    }
    void theNextInLine() {
        const ResourceSpec pipe = channel(ResourceKind::pipe);
        Resource state;
        state = decide_write(pipe, state, 100, nobody, false).after;
        QVERIFY(decide_write(pipe, state, 100, nobody, true).wakes_writer); // it waited, and there is room for another
        QVERIFY(!decide_write(pipe, state, 100, nobody, false).wakes_writer);
        state = decide_write(pipe, state, 100, nobody, false).after;
        QVERIFY(decide_read(pipe, state, 100, nobody, true).wakes_reader); // it waited, and a message is left
        QVERIFY(!decide_read(pipe, state, 200, nobody, true).wakes_reader);
        QVERIFY(!decide_read(pipe, state, 100, nobody, false).wakes_reader);
    }
    /// Reads of another length than the writes: never fewer buffers in use than the bytes need, and none without bytes.
    void mixedLengths() {
        const ResourceSpec pipe = channel(ResourceKind::pipe);
        for (const auto& [written, read] : {std::pair{4096, 100}, std::pair{100, 4000}, std::pair{3000, 7}, std::pair{65536, 1000}}) {
            Resource state;
            fill(pipe, state, written);
            while (state.value >= read) {
                state = decide_read(pipe, state, read, nobody, false).after;
                QVERIFY(std::int64_t{state.buffers} * pipe_slot >= state.value && state.buffers <= 16);
                QCOMPARE(state.buffers == 0, state.value == 0);
            }
        }
    }
    void socketsWakeByRoom() {
        const ResourceSpec unix_socket = channel(ResourceKind::unix_socket), tcp = channel(ResourceKind::tcp_socket, 300);
        // A quarter of 27,800 is 6,950: 69 messages are left when writers are woken.
        Resource state;
        state.value = 7'100;
        QVERIFY(!decide_read(unix_socket, state, 100, 100, false).wakes_writer);
        state.value = 7'000;
        QVERIFY(decide_read(unix_socket, state, 100, 100, false).wakes_writer);
        state.value = 301;
        QVERIFY(!decide_read(tcp, state, 100, 100, false).wakes_writer); // 201 of 300 used
        state.value = 300;
        QVERIFY(decide_read(tcp, state, 100, 100, false).wakes_writer);
        // Every message wakes who waits, whether there was one before or not.
        state.value = 100;
        QVERIFY(decide_write(unix_socket, state, 100, 100, false).wakes_reader);
        QVERIFY(!decide_read(channel(ResourceKind::udp_socket), state, 100, 100, false).wakes_writer);
    }

    /// Three writers wait for a full UNIX socket. One read wakes all three, the last that came first; of a pipe, the first alone.
    void whoIsWoken() {
        const auto writer = [](const char* name, std::int64_t start, std::int64_t bytes) { // CPU 1: in turn
            return task(name, 1, {op(OpKind::sleep, start), op(OpKind::write, bytes)});
        };
        const auto tasks = [&](std::int64_t bytes) {
            return std::vector{task("filler", 0, {op(OpKind::write, bytes)}), writer("a", us, bytes), writer("b", 2 * us, bytes), writer("c", 3 * us, bytes),
                               task("reader", 2, {op(OpKind::sleep, ms), op(OpKind::read, bytes)})};
        };
        const State all = run(tasks(400), channel(ResourceKind::unix_socket, 800), ms + 500 * us);
        // filler and a wrote 800 in all; b and c wait. The read leaves 400, more than a quarter: nobody is woken.
        QCOMPARE(all.resources[0].first_writer, TaskId{3}); // c in front of b
        QCOMPARE(all.task(TaskId{3}).next_waiter, TaskId{2});
        QCOMPARE(all.resources[0].last_writer, TaskId{2});
        const State woken = run(tasks(800), channel(ResourceKind::unix_socket, 800), ms + 500 * us);
        for (const int t : {1, 2, 3}) QCOMPARE(woken.task(TaskId{t}).stat.nr_wakeups_sync, 1U);
        QCOMPARE(woken.task(TaskId{3}).state, TaskState::dead); // c wrote, a and b wait anew
        QCOMPARE(woken.task(TaskId{2}).state, TaskState::sleeping);
        const State first = run(tasks(4096), channel(ResourceKind::pipe, 4096), ms + 500 * us);
        QCOMPARE(first.task(TaskId{1}).stat.nr_wakeups_sync, 1U);
        QCOMPARE(first.task(TaskId{2}).stat.nr_wakeups_sync + first.task(TaskId{3}).stat.nr_wakeups_sync, 0U);
        QCOMPARE(first.task(TaskId{1}).state, TaskState::dead);
    }
    void aWriteWakesAllReadersOfASocket() {
        const auto reader = [](const char* name, int cpu) { return task(name, cpu, {op(OpKind::read, 100)}); };
        const std::vector tasks{reader("a", 0), reader("b", 1), task("w", 2, {op(OpKind::sleep, ms), op(OpKind::write, 200)})};
        const State st = run(tasks, channel(ResourceKind::unix_socket), 2 * ms);
        QCOMPARE(st.accounts[Tally::messages], std::uint64_t{2});
        QCOMPARE(run(tasks, channel(ResourceKind::pipe), 2 * ms).accounts[Tally::messages], std::uint64_t{2}); // a wakes b when it has read
    }
};

} // namespace
} // namespace picknext

QTEST_APPLESS_MAIN(picknext::TestChannel)
#include "test_channel.moc"
