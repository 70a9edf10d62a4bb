// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour and font of the window. Derived from a widget's palette and font, so that light, dark and the desktop's
// own colours follow by themselves: make a new Theme on PaletteChange and FontChange.
#pragma once

#include <array>
#include <cstddef>

#include <QColor>
#include <QFont>
#include <QPalette>

class QWidget;

namespace picknext::ui {

/// Contrast of two opaque colours as accessibility guidelines define it, 1..21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);
/// a over b: share 1 gives a.
[[nodiscard]] QColor blend(const QColor& a, const QColor& b, double share);

/// Fill of a task by its place in the scenario: nineteen colours, then they repeat. The same in both themes.
[[nodiscard]] QColor task_colour(std::size_t task);
/// Black or white, whichever reads better on the fill.
[[nodiscard]] QColor ink_on(const QColor& fill);

struct Theme {
    QColor win, base, alt;       // window; content; every second row
    QColor text, mut;            // text; second rank
    QColor acc, accbg;           // attention: selection, path, picked; background of selected rows
    QColor err, errbg;           // wrong or stale
    QColor red;                  // ring of a red tree node
    QColor ctl;                  // borders that carry meaning, >= 3:1
    QColor line;                 // separators and grid
    QColor hat;                  // hatch lines
    QColor arm_a;                // run A; run B is acc
    std::array<QColor, 4> faded; // tasks out of focus
    QFont body, strong, small, small_strong, title, question, fixed, fixed_strong;
    bool dark = false;
    bool high_contrast = false;
    double unit = 1;             // one pixel of the 100 % design: sizes in views are multiples of it

    [[nodiscard]] static Theme from(const QPalette& palette, const QFont& font);
    [[nodiscard]] static Theme of(const QWidget& widget);

    /// Fill of a task: its own colour in focus, else one of the neutral tints.
    [[nodiscard]] QColor fill(std::size_t task, bool in_focus) const {
        return in_focus ? task_colour(task) : faded[task % faded.size()];
    }
};

} // namespace picknext::ui
