// SPDX-License-Identifier: GPL-3.0-or-later
// Marks, hatches and outlines of painted views, as paths: they do not depend on what a font has, and scale.
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QRectF>

#include "ui/theme/theme.hpp"

class QPainter;

namespace picknext::ui {

enum class Glyph { running, idle, tick_stopped, balance, offline, yes, no, bookmark, down };

/// The glyph drawn to fill the square `at`.
void draw_glyph(QPainter& p, Glyph glyph, const QRectF& at, const QColor& colour);

/// Diagonal lines `step` apart, clipped to the rectangle and anchored to the device, so that neighbours line up.
void draw_hatch(QPainter& p, const QRectF& rect, double step, const QColor& colour);

/// Not eligible, or runnable but waiting: hatch over base.
void draw_not_in_force(QPainter& p, const QRectF& rect, const Theme& t);
/// Not run yet, covered, not applicable: the wide hatch.
void draw_not_yet(QPainter& p, const QRectF& rect, const Theme& t);

/// 2.5 px around an item that is selected, picked or on the path.
void draw_attention(QPainter& p, const QRectF& rect, const Theme& t, double gap = 2);
/// 2 px accent with a gap in the ground's colour: keyboard focus.
void draw_focus(QPainter& p, const QRectF& rect, const Theme& t);

/// A line with a filled head at `to`.
void draw_arrow(QPainter& p, const QPointF& from, const QPointF& to, const QColor& colour, double width, double head);

/// White or dark number in a filled circle: visited, in this order.
void draw_step_number(QPainter& p, const QPointF& centre, int number, const Theme& t);

/// A rectangle moved so that lines of this width fall on device pixels.
[[nodiscard]] QRectF crisp(const QRectF& rect);

} // namespace picknext::ui
