// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/number_text.hpp"

#include <array>

#include <QRegularExpression>

#include "core/explain/explain.hpp"

namespace picknext::ui {

namespace {
constexpr QChar thin_space(0x202F);
constexpr QChar minus(0x2212);

QString ms_parts(std::int64_t ns, const QString& between) {
    const std::uint64_t magnitude =
        ns < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    const QString fraction = QString::number(magnitude % 1'000'000).rightJustified(6, QLatin1Char('0'));
    return (ns < 0 ? QString(minus) : QString()) + QString::number(magnitude / 1'000'000) + QLatin1Char('.') +
           fraction.left(3) + between + fraction.mid(3);
}
} // namespace

QString msColumn(std::int64_t ns) { return ms_parts(ns, QString()); }
QString msGrouped(std::int64_t ns) { return ms_parts(ns, QString(thin_space)); }

QString duration(std::int64_t ns) {
    struct Step {
        std::int64_t size;
        const char* unit;
    };
    static constexpr std::array steps{Step{1'000'000'000, "s"}, Step{1'000'000, "ms"}, Step{1'000, "µs"}};
    for (const Step& s : steps)
        if (ns >= s.size)
            return QStringLiteral("%1 %2")
                .arg(static_cast<double>(ns) / static_cast<double>(s.size), 0, 'g', 6)
                .arg(QString::fromUtf8(s.unit));
    return QStringLiteral("%1 ns").arg(ns);
}

QString groupedNumber(std::int64_t value) { return QString::fromStdString(picknext::grouped(value)); }

QString plain(QString text) { return text.remove(thin_space).replace(minus, QLatin1Char('-')); }

bool parseTime(const QString& text, std::int64_t* ns) {
    QString t = plain(text).remove(QLatin1Char(' ')).remove(QLatin1Char('_')).toLower();
    t.replace(QChar(0x00B5), QLatin1Char('u')).replace(QChar(0x03BC), QLatin1Char('u'));
    static const QRegularExpression form(QStringLiteral("^(\\d{1,12})(?:\\.(\\d{1,9}))?(ns|us|ms|s|)$"));
    const QRegularExpressionMatch m = form.match(t);
    if (!m.hasMatch()) return false;
    const QString unit = m.captured(3);
    const int digits = unit == QLatin1String("s")    ? 9
                       : unit == QLatin1String("us") ? 3
                       : unit == QLatin1String("ns") ? 0
                                                     : 6;
    std::int64_t scale = 1;
    for (int i = 0; i < digits; ++i)
        scale *= 10;
    const std::int64_t whole = m.captured(1).toLongLong();
    if (whole > INT64_MAX / scale - 1) return false;
    const QString fraction = m.captured(2).left(digits).leftJustified(digits, QLatin1Char('0'));
    *ns = whole * scale + fraction.toLongLong();
    return true;
}

} // namespace picknext::ui
