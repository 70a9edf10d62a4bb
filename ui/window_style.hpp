// SPDX-License-Identifier: GPL-3.0-or-later
// The window's frame in the colours of the theme: palettes for a fixed light or dark choice, the style sheet
// of bars, fields, tabs and tables, and icons that take the palette's text colour.
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

#include "ui/theme/theme.hpp"

namespace picknext::ui {

enum class ThemeChoice { system, light, dark };

/// The palette of a fixed choice; for system the desktop's own (an unset palette).
[[nodiscard]] QPalette paletteFor(ThemeChoice choice);
[[nodiscard]] QString frameStyle(const Theme& theme);
/// An icon of resources/icons by its name, one colour, painted in the text colour in force.
[[nodiscard]] QIcon icon(const QString& name);
/// A task's colour chip as an inline image for rich text.
[[nodiscard]] QString chipHtml(const QColor& fill, const QColor& edge, int size, qreal ratio);

} // namespace picknext::ui
