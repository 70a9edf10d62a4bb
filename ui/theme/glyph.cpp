// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/glyph.hpp"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QVarLengthArray>

namespace picknext::ui {
namespace {

QPen line_pen(const QColor& colour, double width) { return QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin); }

void fill_polygon(QPainter& p, const QColor& colour, std::initializer_list<QPointF> points) {
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    p.drawPolygon(points.begin(), static_cast<int>(points.size()));
}

void draw_balance(QPainter& p, const QRectF& r, const QColor& colour) {
    const double h = r.width() / 4;
    draw_arrow(p, {r.left(), r.top() + h}, {r.right(), r.top() + h}, colour, 1.2, h);
    draw_arrow(p, {r.right(), r.bottom() - h}, {r.left(), r.bottom() - h}, colour, 1.2, h);
}

} // namespace

void draw_glyph(QPainter& p, Glyph glyph, const QRectF& at, const QColor& colour) {
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    const double w = std::max(1.2, at.width() / 7);
    const QRectF in = at.adjusted(w / 2, w / 2, -w / 2, -w / 2);
    p.setPen(line_pen(colour, w));
    p.setBrush(Qt::NoBrush);
    switch (glyph) {
    case Glyph::running:
        fill_polygon(p, colour, {{at.left() + w, at.top()}, {at.right(), at.center().y()}, {at.left() + w, at.bottom()}});
        break;
    case Glyph::tick_stopped:
        p.drawLine(QPointF(at.left(), at.bottom()), QPointF(at.right(), at.top()));
        [[fallthrough]];
    case Glyph::idle: p.drawEllipse(in); break;
    case Glyph::balance: draw_balance(p, at, colour); break;
    case Glyph::offline:
    case Glyph::no:
        p.drawLine(in.topLeft(), in.bottomRight());
        p.drawLine(in.bottomLeft(), in.topRight());
        break;
    case Glyph::yes:
        p.drawPolyline(QPolygonF{QPointF(in.left(), in.center().y()), QPointF(in.left() + in.width() * 0.35, in.bottom()),
                                 QPointF(in.right(), in.top())});
        break;
    case Glyph::bookmark:
        p.drawPolygon(QPolygonF{in.topLeft(), in.topRight(), in.bottomRight(), QPointF(in.center().x(), in.bottom() - in.height() / 3),
                                in.bottomLeft()});
        break;
    case Glyph::down:
        p.drawPolyline(QPolygonF{QPointF(in.left(), in.top() + in.height() * 0.3), QPointF(in.center().x(), in.top() + in.height() * 0.75),
                                 QPointF(in.right(), in.top() + in.height() * 0.3)});
        break;
    }
    p.restore();
}

void draw_hatch(QPainter& p, const QRectF& rect, double step, const QColor& colour) {
    const QRectF r = rect.normalized();
    const double pitch = step * M_SQRT2; // distance along x between lines that are `step` apart
    QVarLengthArray<QLineF, 128> lines;
    for (double c = std::ceil((r.left() + r.top()) / pitch) * pitch; c < r.right() + r.bottom(); c += pitch) {
        const double x0 = std::max(r.left(), c - r.bottom()), x1 = std::min(r.right(), c - r.top());
        if (x1 > x0) lines.append(QLineF(x0, c - x0, x1, c - x1));
    }
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(colour, 1, Qt::SolidLine, Qt::FlatCap));
    p.drawLines(lines.constData(), static_cast<int>(lines.size()));
    p.restore();
}

void draw_not_in_force(QPainter& p, const QRectF& rect, const Theme& t) {
    p.fillRect(rect, t.base);
    draw_hatch(p, rect, 4 * t.unit, t.hat);
}

void draw_not_yet(QPainter& p, const QRectF& rect, const Theme& t) { draw_hatch(p, rect, 8 * t.unit, t.line); }

void draw_attention(QPainter& p, const QRectF& rect, const Theme& t, double gap) {
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.acc, 2.5 * t.unit));
    const double out = gap + 1.25 * t.unit;
    p.drawRoundedRect(rect.adjusted(-out, -out, out, out), 3 * t.unit, 3 * t.unit);
    p.restore();
}

void draw_focus(QPainter& p, const QRectF& rect, const Theme& t) {
    p.save();
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.base, 1));
    p.drawRect(rect.adjusted(2.5, 2.5, -2.5, -2.5));
    p.setPen(QPen(t.acc, 2));
    p.drawRect(rect.adjusted(1, 1, -1, -1));
    p.restore();
}

void draw_arrow(QPainter& p, const QPointF& from, const QPointF& to, const QColor& colour, double width, double head) {
    const QLineF whole(from, to);
    if (whole.length() < 1) return;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    const QPointF along = (to - from) / whole.length(), across(-along.y(), along.x());
    const QPointF neck = to - along * head;
    QPen pen = p.pen();
    pen.setColor(colour);
    pen.setWidthF(width);
    pen.setStyle(Qt::SolidLine);
    pen.setCapStyle(Qt::FlatCap);
    p.setPen(pen);
    p.drawLine(from, neck);
    fill_polygon(p, colour, {to, neck + across * head * 0.5, neck - across * head * 0.5});
    p.restore();
}

void draw_step_number(QPainter& p, const QPointF& centre, int number, const Theme& t) {
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setFont(t.small_strong);
    const QFontMetricsF fm(t.small_strong);
    const QString text = QString::number(number);
    const double radius = std::max(fm.height() * 0.55, fm.horizontalAdvance(text) / 2 + 3 * t.unit);
    p.setPen(QPen(t.base, 1));
    p.setBrush(t.acc);
    p.drawEllipse(centre, radius, radius);
    p.setPen(ink_on(t.acc));
    p.drawText(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), Qt::AlignCenter, text);
    p.restore();
}

QRectF crisp(const QRectF& rect) {
    const double l = std::floor(rect.left()) + 0.5, t = std::floor(rect.top()) + 0.5;
    return QRectF(QPointF(l, t), QPointF(std::max(l, std::floor(rect.right()) - 0.5), std::max(t, std::floor(rect.bottom()) - 0.5)));
}

} // namespace picknext::ui
