// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart_painter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <QFileInfo>
#include <QSvgGenerator>
#include <qcustomplot.h>

namespace picknext::ui {

namespace {
constexpr double mark_size = 8;   // px of the 100 % design
constexpr double bar_share = 0.6; // of a row
constexpr double icon_height = 16;
constexpr double hit = 10;        // px: how near the pointer has to be

/// Parts are told apart by tint, then by pattern.
constexpr std::array patterns{Qt::NoBrush, Qt::BDiagPattern, Qt::Dense6Pattern, Qt::CrossPattern, Qt::FDiagPattern};

QCPScatterStyle scatter(const ChartCurve& curve, const Theme& t) {
    const QColor ink = curve.arm == ChartArm::a ? t.arm_a : curve.arm == ChartArm::b ? t.acc : t.text;
    const auto shape = curve.arm == ChartArm::a                               ? QCPScatterStyle::ssCircle
                       : curve.arm == ChartArm::b                             ? QCPScatterStyle::ssSquare
                       : curve.published                                      ? QCPScatterStyle::ssDiamond
                                                                              : QCPScatterStyle::ssDisc;
    // The hollow one stands around the filled one where both fall on the same point.
    // A is larger than B, drawn before it: both are seen where they are equal.
    const double size = (curve.published ? mark_size + 3 : curve.arm == ChartArm::a ? mark_size + 2 : mark_size - 2.5) * t.unit;
    return {shape, QPen(ink, 1.5 * t.unit), curve.published ? QBrush(Qt::NoBrush) : QBrush(ink), size};
}

/// Parts of bars with a pattern over their tint; the legend shows both.
class PartBars final : public QCPBars {
  public:
    PartBars(QCPAxis* row, QCPAxis* value, QBrush ground) : QCPBars(row, value), m_ground(std::move(ground)) {}

  protected:
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override {
        QRectF box(0, 0, rect.width() * 0.67, rect.height() * 0.67); // as the base class draws it
        box.moveCenter(rect.center());
        painter->fillRect(box, m_ground);
        QCPBars::drawLegendIcon(painter, rect);
    }

  private:
    QBrush m_ground;
};

QString trimmed(QString number) {
    if (!number.contains(QLatin1Char('.'))) return number;
    while (number.endsWith(QLatin1Char('0'))) number.chop(1);
    if (number.endsWith(QLatin1Char('.'))) number.chop(1);
    return number;
}

/// Numbers of an axis as chartNumber writes them.
class NumberTicker final : public QCPAxisTicker {
  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return trimmed(chartNumber(std::abs(tick) < 1e-12 ? 0.0 : tick));
    }
};
class LogNumberTicker final : public QCPAxisTickerLog {
  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return trimmed(chartNumber(tick));
    }
};
} // namespace

namespace {
int legend_columns(const QStringList& names, const Theme& t, int width) {
    int widest = 1;
    for (const QString& name : names) widest = std::max(widest, QFontMetrics(t.small).horizontalAdvance(name) + qRound(40 * t.unit));
    return std::max(1, (width - 16) / widest);
}
} // namespace

int ChartPainter::neededHeight(const Chart& chart, const Theme& theme, int width) {
    QStringList names;
    for (const QString& part : chart.parts) names << part;
    for (const ChartCurve& curve : chart.curves) names << curve.name;
    const int columns = legend_columns(names, theme, width);
    const int small = QFontMetrics(theme.small).height();
    const int legend = (static_cast<int>(names.size()) + columns - 1) / columns * std::max(small, qRound(icon_height * theme.unit));
    const int plot = chart.isBars() ? small * 2 * static_cast<int>(chart.bars.size()) + small * 2 : small * 9;
    return QFontMetrics(theme.strong).height() + small * 5 + legend + plot; // heading, detail of two lines, axis and its label
}

ChartPainter::ChartPainter(QWidget* parent) : m_plot(new QCustomPlot(parent)) {
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents); // clicks and tool tips are the view's
    m_plot->setNoAntialiasingOnDrag(false);
}

QWidget* ChartPainter::widget() const { return m_plot; }

void ChartPainter::addHeading(const QString& text, const QFont& font, const QColor& colour, int row) {
    const int room = m_plot->width() - qRound(16 * m_theme.unit);
    const QFontMetrics fm(font);
    QString first = text, second;
    if (fm.horizontalAdvance(text) > room && row > 0) { // a detail may take two lines
        qsizetype at = text.size();
        while (at > 0 && fm.horizontalAdvance(text.left(at)) > room) at = text.lastIndexOf(QLatin1Char(' '), at - 1);
        if (at > 0) first = text.left(at), second = QLatin1Char('\n') + fm.elidedText(text.mid(at + 1), Qt::ElideRight, std::max(40, room));
    }
    auto* element = new QCPTextElement(m_plot, fm.elidedText(first, Qt::ElideRight, std::max(40, room)) + second, font);
    element->setTextColor(colour);
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    element->setMargins(QMargins(6, 1, 6, 1));
    m_plot->plotLayout()->addElement(row, 0, element);
}

void ChartPainter::draw(const Chart& chart, const Theme& theme) {
    m_theme = theme;
    QCustomPlot& plot = *m_plot;
    plot.clearItems();
    plot.clearPlottables();
    plot.plotLayout()->clear(); // legend and axes with it
    plot.setBackground(theme.base);
    plot.setViewport(plot.rect()); // its own resize event may still be on its way
    addHeading(chart.title, theme.strong, theme.text, 0);
    int row = 1;
    if (!chart.detail.isEmpty()) addHeading(chart.detail, theme.small, theme.mut, row++);
    auto* axes = new QCPAxisRect(m_plot, true);
    plot.plotLayout()->addElement(row, 0, axes);
    // Items that name no axis take those of the first rectangle.
    m_legend = new QCPLegend;
    plot.plotLayout()->addElement(row + 1, 0, m_legend);
    plot.plotLayout()->setRowSpacing(2);
    for (int r = 0; r < plot.plotLayout()->rowCount(); ++r) plot.plotLayout()->setRowStretchFactor(r, r == row ? 1 : 0.001);
    m_legend->setLayer(QStringLiteral("legend"));
    plot.setAutoAddPlottableToLegend(false);
    if (chart.isBars())
        addBars(chart);
    else
        addCurves(chart);
    styleAxes(chart);
    layLegend();
    plot.replot(QCustomPlot::rpImmediateRefresh);
    if (!chart.isBars()) return;
    addNumbers(chart); // needs to know how wide each part came out
    plot.replot(QCustomPlot::rpImmediateRefresh);
}

void ChartPainter::styleAxes(const Chart& chart) {
    QCPAxisRect* rect = m_plot->axisRect();
    rect->setMinimumMargins(QMargins(4, 6, 12, 2));
    for (QCPAxis* axis : rect->axes()) {
        axis->setTickLabelFont(m_theme.small);
        axis->setLabelFont(m_theme.small);
        axis->setTickLabelColor(m_theme.mut);
        axis->setLabelColor(m_theme.mut);
        axis->setBasePen(QPen(m_theme.ctl, 1));
        axis->setTickPen(QPen(m_theme.ctl, 1));
        axis->setSubTickPen(QPen(m_theme.line, 1));
        axis->grid()->setPen(QPen(m_theme.line, 1));
        axis->grid()->setSubGridVisible(false);
        axis->setSubTicks(false);
        axis->grid()->setZeroLinePen(chart.zeroLine && axis->axisType() == QCPAxis::atLeft ? QPen(m_theme.text, 1.2) : QPen(m_theme.line, 1));
    }
    rect->axis(QCPAxis::atBottom)->setLabel(chart.xLabel);
    rect->axis(QCPAxis::atLeft)->setLabel(chart.yLabel);
    rect->axis(chart.isBars() ? QCPAxis::atLeft : QCPAxis::atBottom)->grid()->setVisible(false);
}

void ChartPainter::addCurves(const Chart& chart) {
    QCPAxis* x = m_plot->axisRect()->axis(QCPAxis::atBottom);
    QCPAxis* y = m_plot->axisRect()->axis(QCPAxis::atLeft);
    double left = std::numeric_limits<double>::max(), right = std::numeric_limits<double>::lowest(), low = left, high = right;
    // Published marks last: hollow, they lie over what is filled.
    for (const bool published : {false, true})
        for (const ChartCurve& curve : chart.curves) {
            if (curve.published != published || curve.marks.empty()) continue;
            auto* graph = new QCPGraph(x, y);
            graph->setName(curve.name);
            graph->setAntialiased(true);
            const QCPScatterStyle style = scatter(curve, m_theme);
            graph->setScatterStyle(style);
            graph->setLineStyle(published || !curve.joined ? QCPGraph::lsNone : QCPGraph::lsLine);
            graph->setPen(QPen(style.pen().color(), (curve.arm == ChartArm::b ? 1.5 : 2.5) * m_theme.unit, curve.arm == ChartArm::b ? Qt::DashLine : Qt::SolidLine));
            const bool ranges = std::any_of(curve.marks.begin(), curve.marks.end(), [](const ChartMark& m) { return m.range.has_value(); });
            QCPErrorBars* whiskers = ranges ? new QCPErrorBars(x, y) : nullptr;
            if (whiskers) {
                whiskers->setDataPlottable(graph);
                whiskers->setPen(QPen(style.pen().color(), 1.2 * m_theme.unit));
                whiskers->setWhiskerWidth(6 * m_theme.unit);
                whiskers->setSymbolGap(0);
            }
            for (const ChartMark& m : curve.marks) {
                graph->addData(m.x, m.y);
                const double from = m.range ? m.range->first : m.y, to = m.range ? m.range->second : m.y;
                if (whiskers) whiskers->addData(m.y - from, to - m.y);
                left = std::min(left, m.x), right = std::max(right, m.x);
                low = std::min({low, m.y, from}), high = std::max({high, m.y, to});
            }
            graph->addToLegend(m_legend);
        }
    for (const auto& tick : chart.ticks) left = std::min(left, tick.first), right = std::max(right, tick.first); // also points not run yet
    if (left > right) left = 0, right = 1;
    if (low > high) low = 0, high = 1;
    const double step = right > left && chart.ticks.size() != 1 ? (right - left) * 0.06 : 0.5;
    x->setRange(left - step, right + step);
    if (chart.logarithmic && low > 0) {
        y->setScaleType(QCPAxis::stLogarithmic);
        y->setTicker(QSharedPointer<LogNumberTicker>::create());
        y->setRange(low / 1.5, high * 1.5);
    } else {
        y->setTicker(QSharedPointer<NumberTicker>::create());
        if (chart.fromZero) low = std::min(low, 0.0);
        if (chart.zeroLine) low = std::min(low, 0.0), high = std::max(high, 0.0);
        const double margin = high > low ? (high - low) * 0.08 : std::max(std::abs(high) * 0.1, 0.1);
        y->setRange(chart.fromZero && low >= 0 ? 0 : low - margin, high + margin);
    }
    if (chart.ticks.empty()) {
        auto ticker = QSharedPointer<NumberTicker>::create();
        ticker->setTickCount(6);
        x->setTicker(ticker);
        return;
    }
    const auto words = QSharedPointer<QCPAxisTickerText>::create();
    words->setSubTickCount(0);
    int widest = 0;
    for (const auto& [at, word] : chart.ticks) {
        words->addTick(at, word);
        widest = std::max(widest, QFontMetrics(m_theme.small).horizontalAdvance(word) + 8);
    }
    x->setTicker(words);
    const int room = m_plot->width() - qRound(90 * m_theme.unit); // less the numbers and label at the left
    if (widest * static_cast<int>(chart.ticks.size()) > room) x->setTickLabelRotation(45);
}

void ChartPainter::addBars(const Chart& chart) {
    QCPAxis* value = m_plot->axisRect()->axis(QCPAxis::atBottom);
    QCPAxis* row = m_plot->axisRect()->axis(QCPAxis::atLeft);
    const auto words = QSharedPointer<QCPAxisTickerText>::create();
    words->setSubTickCount(0);
    const int rows = static_cast<int>(chart.bars.size());
    double most = 0;
    for (int r = 0; r < rows; ++r) {
        words->addTick(rows - r, chart.bars[static_cast<std::size_t>(r)].name);
        double sum = 0;
        for (const double part : chart.bars[static_cast<std::size_t>(r)].parts) sum += part;
        most = std::max(most, sum);
    }
    row->setTicker(words);
    row->setRange(0.4, rows + 0.6);
    auto numbers = QSharedPointer<NumberTicker>::create();
    value->setTicker(numbers);
    const double axis = std::max(100.0, m_plot->width() - 40 * m_theme.unit);
    const double behind = chart.sums ? QFontMetrics(m_theme.small_strong).horizontalAdvance(QStringLiteral("= ") + chartNumber(most)) + 14 : 8;
    value->setRange(0, most > 0 ? most * axis / std::max(50.0, axis - behind) : 1); // the sums stand behind the bars
    const int label = QFontMetrics(m_theme.small).horizontalAdvance(chartNumber(most)) + 24;
    numbers->setTickCount(std::clamp(static_cast<int>(axis) / label, 1, 6));
    QCPBars *below = nullptr, *belowPattern = nullptr, *belowPublished = nullptr;
    for (std::size_t p = 0; p < chart.parts.size(); ++p) {
        const auto add = [&](const QBrush& brush, QCPBars* base, bool published) {
            auto* bars = new PartBars(row, value, m_theme.faded[p % m_theme.faded.size()]);
            bars->setName(chart.parts[p]);
            bars->setAntialiased(false);
            bars->setPen(QPen(m_theme.ctl, 1));
            bars->setBrush(brush);
            bars->setWidth(bar_share);
            bars->setStackingGap(0);
            for (int r = 0; r < rows; ++r) {
                const ChartBar& bar = chart.bars[static_cast<std::size_t>(r)];
                if (bar.published == published) bars->addData(rows - r, bar.parts[p]);
            }
            if (base) bars->moveAbove(base);
            return bars;
        };
        below = add(m_theme.faded[p % m_theme.faded.size()], below, false);
        const Qt::BrushStyle pattern = patterns[p / m_theme.faded.size() % patterns.size()];
        belowPattern = add(QBrush(m_theme.hat, pattern), belowPattern, false);
        belowPublished = add(m_theme.base, belowPublished, true);
        belowPattern->addToLegend(m_legend);
    }
}

/// The value in each part that has room for it, and the sum behind the bar.
void ChartPainter::addNumbers(const Chart& chart) {
    QCPAxis* value = m_plot->axisRect()->axis(QCPAxis::atBottom);
    QCPAxis* row = m_plot->axisRect()->axis(QCPAxis::atLeft);
    const QFontMetrics fm(m_theme.small);
    const int rows = static_cast<int>(chart.bars.size());
    if (std::abs(row->coordToPixel(0) - row->coordToPixel(bar_share)) < fm.height()) return; // they would lie over each other
    for (int r = 0; r < rows; ++r) {
        double from = 0;
        for (const double part : chart.bars[static_cast<std::size_t>(r)].parts) {
            const QString text = chartNumber(part);
            const double room = value->coordToPixel(from + part) - value->coordToPixel(from);
            if (part > 0 && fm.horizontalAdvance(text) + 6 <= room) {
                auto* item = new QCPItemText(m_plot);
                item->position->setAxes(value, row);
                item->position->setCoords(from + part / 2, rows - r);
                item->setPositionAlignment(Qt::AlignCenter);
                item->setFont(m_theme.small);
                item->setColor(m_theme.text);
                item->setBrush(QColor(m_theme.base.red(), m_theme.base.green(), m_theme.base.blue(), 150)); // over a pattern
                item->setPadding(QMargins(1, 0, 1, 0));
                item->setText(text);
            }
            from += part;
        }
        if (!chart.sums) continue;
        auto* sum = new QCPItemText(m_plot);
        sum->position->setAxes(value, row);
        sum->position->setCoords(from, rows - r);
        sum->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        sum->setPadding(QMargins(6, 0, 0, 0));
        sum->setFont(m_theme.small_strong);
        sum->setColor(m_theme.text);
        sum->setText(QStringLiteral("= ") + chartNumber(from));
    }
}

/// Under the axes, in as many columns as fit, so that it covers no point.
void ChartPainter::layLegend() {
    m_legend->setBrush(m_theme.base);
    m_legend->setBorderPen(Qt::NoPen);
    m_legend->setFont(m_theme.small);
    m_legend->setTextColor(m_theme.text);
    m_legend->setIconSize(qRound(24 * m_theme.unit), qRound(icon_height * m_theme.unit));
    m_legend->setRowSpacing(0);
    m_legend->setMargins(QMargins(8, 0, 8, 6));
    QStringList names;
    for (int i = 0; i < m_legend->itemCount(); ++i)
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(m_legend->item(i))) names << item->plottable()->name();
    m_legend->setFillOrder(QCPLegend::foColumnsFirst, false);
    m_legend->setWrap(legend_columns(names, m_theme, m_plot->width()));
    m_legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    m_legend->setVisible(m_legend->itemCount() > 0);
}

bool ChartPainter::save(const QString& path, const QString& title) const {
    const QString ending = QFileInfo(path).suffix().toLower();
    const int w = m_plot->width(), h = m_plot->height();
    if (ending == QLatin1String("pdf")) return m_plot->savePdf(path, w, h, QCP::epAllowCosmetic, QStringLiteral("picknext"), title);
    if (ending != QLatin1String("svg")) return m_plot->savePng(path, w, h, 2.0);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize({w, h});
    generator.setViewBox(QRect(0, 0, w, h));
    generator.setTitle(title);
    QCPPainter painter;
    if (!painter.begin(&generator)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    m_plot->toPainter(&painter, w, h);
    painter.end();
    return file.error() == QFileDevice::NoError;
}

QString ChartPainter::hint(const Chart& chart, const QPointF& at) const {
    const QCPAxisRect* rect = m_plot->axisRect();
    if (!rect || !rect->rect().contains(at.toPoint())) return {};
    const QCPAxis *bottom = rect->axis(QCPAxis::atBottom), *left = rect->axis(QCPAxis::atLeft);
    if (chart.isBars()) {
        const double row = left->pixelToCoord(at.y());
        const int r = static_cast<int>(chart.bars.size()) - qRound(row);
        if (r < 0 || r >= static_cast<int>(chart.bars.size()) || std::abs(row - std::round(row)) > bar_share / 2) return {};
        const ChartBar& bar = chart.bars[static_cast<std::size_t>(r)];
        double rest = bottom->pixelToCoord(at.x());
        for (std::size_t p = 0; p < bar.parts.size(); rest -= bar.parts[p++])
            if (rest >= 0 && rest < bar.parts[p]) return QStringLiteral("%1, %2: %3 %4").arg(bar.name, chart.parts[p], chartNumber(bar.parts[p]), chart.unit);
        return {};
    }
    QStringList lines;
    for (const ChartCurve& curve : chart.curves)
        for (const ChartMark& m : curve.marks) {
            const QPointF mark(bottom->coordToPixel(m.x), left->coordToPixel(m.y));
            if ((mark - at).manhattanLength() > hit * m_theme.unit) continue;
            QString line = QStringLiteral("%1: %2 %3").arg(curve.name, chartNumber(m.y), chart.unit);
            if (m.range) line += QStringLiteral(" [%1, %2]").arg(chartNumber(m.range->first), chartNumber(m.range->second));
            lines << line;
        }
    return lines.join(QLatin1Char('\n'));
}

} // namespace picknext::ui
