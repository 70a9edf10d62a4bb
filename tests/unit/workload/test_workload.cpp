// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/workload/workload.hpp"

using namespace picknext;

class TestWorkload : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void fixed();
    void uniform();
    void exponential();
    void normal();
    void normal_is_cut();
    void list();
    void longest();
    void known_values();
    void draws_depend_on_nothing_else();
    void names();
};

namespace {

using Shape = Dist::Kind;
constexpr std::uint64_t draws = 100'000;

Dist dist(Shape kind, std::int64_t a, std::int64_t b = 0) {
    Dist d;
    d.kind = kind;
    d.a = a;
    d.b = b;
    return d;
}

struct Moments {
    double mean = 0, deviation = 0;
    std::int64_t least = INT64_MAX, most = 0;
};
Moments moments(const Dist& d) {
    Moments m;
    double squares = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
        const std::int64_t v = draw(d, 7, 3, i);
        m.mean += static_cast<double>(v) / draws;
        squares += static_cast<double>(v) * static_cast<double>(v) / draws;
        m.least = std::min(m.least, v);
        m.most = std::max(m.most, v);
    }
    m.deviation = std::sqrt(squares - m.mean * m.mean);
    return m;
}
bool near(double value, double wanted, double part) { return std::abs(value - wanted) <= part * wanted; }

} // namespace

void TestWorkload::fixed() { QCOMPARE(draw(dist(Shape::fixed, 250'000), 1, 2, 3), std::int64_t{250'000}); }

void TestWorkload::uniform() {
    const Moments m = moments(dist(Shape::uniform, 1000, 3000));
    QVERIFY(m.least == 1000 && m.most == 3000); // both ends are possible
    QVERIFY(near(m.mean, 2000, 0.01));
    QVERIFY(near(m.deviation, 2001 / std::sqrt(12.0), 0.01));
    QCOMPARE(draw(dist(Shape::uniform, 5, 5), 1, 1, 1), std::int64_t{5});
}

void TestWorkload::exponential() {
    const Moments m = moments(dist(Shape::exponential, 1'000'000));
    QVERIFY(near(m.mean, 1'000'000, 0.01));
    QVERIFY(near(m.deviation, 1'000'000, 0.02));
    std::uint64_t above = 0; // e^-2 of them lie above twice the mean
    for (std::uint64_t i = 0; i < draws; ++i) above += draw(dist(Shape::exponential, 1'000'000), 7, 3, i) > 2'000'000 ? 1 : 0;
    QVERIFY(near(static_cast<double>(above), draws * std::exp(-2.0), 0.03));
}

void TestWorkload::normal() {
    const Moments m = moments(dist(Shape::normal, 10'000'000, 1'000'000));
    QVERIFY(near(m.mean, 10'000'000, 0.001));
    QVERIFY(near(m.deviation, 1'000'000, 0.01));
    QVERIFY(m.least >= 4'000'000 && m.most <= 16'000'000);
}

void TestWorkload::normal_is_cut() {
    const Moments m = moments(dist(Shape::normal, 0, 1'000'000));
    QCOMPARE(m.least, std::int64_t{0});
    QVERIFY(near(m.mean, 1'000'000 / std::sqrt(2 * M_PI), 0.02));
}

void TestWorkload::list() {
    Dist d = dist(Shape::list, 0);
    d.values = {10, 20, 30};
    const auto at = [&](std::uint64_t i) { return draw(d, 1, 1, i); };
    QCOMPARE(at(0), std::int64_t{10});
    QCOMPARE(at(2), std::int64_t{30});
    QCOMPARE(at(4), std::int64_t{20});
    d.repeat = false;
    QCOMPARE(at(4), std::int64_t{30});
}

void TestWorkload::longest() {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const std::int64_t v = draw(dist(Shape::exponential, longest_duration), 1, 1, i);
        QVERIFY(v >= 0 && v <= longest_duration);
        const std::int64_t w = draw(dist(Shape::normal, longest_duration, longest_duration), 1, 1, i);
        QVERIFY(w >= 0 && w <= longest_duration);
    }
}

/// The same on every compiler and at every level of optimisation.
void TestWorkload::known_values() {
    QCOMPARE(draw(dist(Shape::uniform, 0, 999'999), 42, 3, 0), std::int64_t{265'814});
    QCOMPARE(draw(dist(Shape::exponential, 1'000'000), 42, 3, 0), std::int64_t{1'324'955});
    QCOMPARE(draw(dist(Shape::exponential, 1'000'000), 42, 3, 1), std::int64_t{89'568});
    QCOMPARE(draw(dist(Shape::normal, 1'000'000, 100'000), 42, 3, 0), std::int64_t{1'001'570});
}

void TestWorkload::draws_depend_on_nothing_else() {
    const Dist d = dist(Shape::exponential, 1'000'000);
    const std::int64_t later = draw(d, 42, 3, 1000);
    for (std::uint64_t i = 0; i < 10; ++i) (void)draw(d, 42, 3, i);
    QCOMPARE(draw(d, 42, 3, 1000), later);
    QVERIFY(draw(d, 42, 4, 1000) != later && draw(d, 43, 3, 1000) != later);
}

void TestWorkload::names() {
    Workload w;
    w.tasks.resize(2);
    w.tasks[0].name = "one";
    w.tasks[1].name = "many";
    w.tasks[1].count = 3;
    Task t;
    QCOMPARE(task_name(w, t), std::string{});
    t.program = 0;
    QCOMPARE(task_name(w, t), std::string{"one"});
    t.program = 1;
    t.instance = 2;
    QCOMPARE(task_name(w, t), std::string{"many#2"});
}

QTEST_APPLESS_MAIN(TestWorkload)
#include "test_workload.moc"
