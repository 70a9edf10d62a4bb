// SPDX-License-Identifier: GPL-3.0-or-later
// The items of painted views for assistive technology: a list whose children have a name, a place and a selected one.
#pragma once

namespace picknext::ui {

/// Makes accessible interfaces for PaintedView known to Qt; the second call and later ones do nothing.
void install_accessible_views();

} // namespace picknext::ui
