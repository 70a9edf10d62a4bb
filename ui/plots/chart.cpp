// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart.hpp"

#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "ui/theme/numbers.hpp"

namespace picknext::ui {

QString chartNumber(double value) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    const double magnitude = std::abs(value);
    if (magnitude >= 1000 && magnitude < 1e15) return grouped(std::llround(value));
    QString text = QString::number(value, 'g', 4);
    if (magnitude != 0 && magnitude < 1e15 && magnitude >= 1e-4) {
        const int digits = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
        text = QString::number(value, 'f', std::clamp(4 - digits, 0, 8));
    }
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

QString Chart::spoken() const {
    QStringList lines{title};
    for (const ChartCurve& curve : curves) {
        QStringList points;
        for (const ChartMark& m : curve.marks) {
            QString at = chartNumber(m.x);
            for (const auto& [x, word] : ticks)
                if (x == m.x) at = word;
            points << QCoreApplication::translate("Chart", "%1: %2 %3").arg(at, chartNumber(m.y), unit);
        }
        lines << QCoreApplication::translate("Chart", "%1. %2").arg(curve.name, points.join(QStringLiteral("; ")));
    }
    for (const ChartBar& bar : bars) {
        QStringList shares;
        for (std::size_t i = 0; i < bar.parts.size(); ++i)
            shares << QCoreApplication::translate("Chart", "%1: %2 %3").arg(parts[i], chartNumber(bar.parts[i]), unit);
        lines << QCoreApplication::translate("Chart", "%1. %2").arg(bar.name, shares.join(QStringLiteral("; ")));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace picknext::ui
