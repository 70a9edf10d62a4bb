// SPDX-License-Identifier: GPL-3.0-or-later
// Colours read well in both themes, and follow the desktop where its own do.
#include <QtTest>

#include "ui/theme/numbers.hpp"
#include "ui/theme/english_plurals.hpp"
#include "ui/theme/theme.hpp"

using namespace picknext::ui;

namespace {

QPalette palette(const QColor& win, const QColor& base, const QColor& text, const QColor& highlight) {
    QPalette p;
    p.setColor(QPalette::Window, win);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Highlight, highlight);
    return p;
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void oneIsSingular() {
        const EnglishPlurals plurals;
        QCOMPARE(plurals.translate("", "%n tasks", "", 1), QStringLiteral("%n task"));
        QCOMPARE(plurals.translate("", "Simulated · %n tasks", "", 1), QStringLiteral("Simulated · %n task"));
        QVERIFY(plurals.translate("", "%n tasks", "", 2).isNull()); // the text as it stands
        QVERIFY(plurals.translate("", "File", "", -1).isNull());
    }
    void contrastOfKnownPairs() {
        QCOMPARE(qRound(contrast(Qt::black, Qt::white) * 10), 210);
        QCOMPARE(qRound(contrast(QColor(0x56, 0x5D, 0x68), Qt::white) * 10), 66);
    }

    void coloursReadWell_data() {
        QTest::addColumn<QPalette>("desktop");
        QTest::newRow("light") << palette(QColor(0xEC, 0xEE, 0xF1), Qt::white, QColor(0x1B, 0x1E, 0x23), QColor(0x30, 0x8C, 0xC6));
        QTest::newRow("dark") << palette(QColor(0x2A, 0x2E, 0x34), QColor(0x1E, 0x21, 0x26), QColor(0xE6, 0xE8, 0xEB), QColor(0x30, 0x8C, 0xC6));
        QTest::newRow("sepia") << palette(QColor(0xEE, 0xE8, 0xD5), QColor(0xFD, 0xF6, 0xE3), QColor(0x3B, 0x4B, 0x52), QColor(0x26, 0x8B, 0xD2));
        QTest::newRow("unreadable") << palette(Qt::gray, Qt::gray, Qt::darkGray, Qt::gray);
        QTest::newRow("high contrast") << palette(Qt::black, Qt::black, Qt::white, Qt::yellow);
    }
    void coloursReadWell() {
        QFETCH(QPalette, desktop);
        const Theme t = Theme::from(desktop, QFont());
        for (const QColor& text : {t.text, t.mut, t.acc, t.err})
            for (const QColor& ground : {t.base, t.win}) QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + ground.name()));
        for (const QColor& shape : {t.ctl, t.hat, t.red, t.acc, t.arm_a}) QVERIFY2(contrast(shape, t.base) >= 3.0, qPrintable(shape.name()));
        for (const QColor& tint : t.faded) QVERIFY(contrast(t.text, tint) >= 4.5);
        QVERIFY(contrast(t.text, t.accbg) >= 4.5);
    }

    void followsTheDesktop() {
        const Theme t = Theme::from(palette(QColor(0xEE, 0xE8, 0xD5), QColor(0xFD, 0xF6, 0xE3), QColor(0x3B, 0x4B, 0x52), QColor(0x80, 0x20, 0x60)), QFont());
        QCOMPARE(t.base, QColor(0xFD, 0xF6, 0xE3));
        QCOMPARE(t.acc, QColor(0x80, 0x20, 0x60));
        QVERIFY(!t.dark);
        QVERIFY(Theme::from(palette(Qt::black, Qt::black, Qt::white, Qt::yellow), QFont()).high_contrast);
        QVERIFY(!Theme::from(palette(QColor(0xEF, 0xEF, 0xEF), Qt::white, Qt::black, Qt::blue), QFont()).high_contrast);
    }

    void textOnTaskColoursReads() {
        for (std::size_t i = 0; i < 19; ++i) QVERIFY(contrast(ink_on(task_colour(i)), task_colour(i)) >= 4.5);
        QCOMPARE(ink_on(task_colour(4)), QColor(Qt::white)); // on blue
        QCOMPARE(ink_on(task_colour(3)), QColor(Qt::black)); // on yellow
        QCOMPARE(task_colour(19), task_colour(0));
    }

    void fontsAreNeverTiny() {
        QFont small;
        small.setPixelSize(8);
        const Theme t = Theme::from(QPalette(), small);
        for (const QFont& f : {t.body, t.small, t.fixed}) QVERIFY(f.pixelSize() >= 11);
    }

    void momentsHaveTheDecimalsOfTheirStep() {
        QCOMPARE(moment_text(84'500'000, 500'000), QStringLiteral("84.5 ms"));
        QCOMPARE(moment_text(84'000'000, 1'000'000), QStringLiteral("84 ms"));
        QCOMPARE(moment_text(0, 20'000'000), QStringLiteral("0 ms"));
        QCOMPARE(moment_text(1'500, 100), QStringLiteral("0.001\u202f5 ms"));
    }
};

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
