// SPDX-License-Identifier: GPL-3.0-or-later
// The card beside an item under the pointer: exact values. The mouse passes through it.
#pragma once

#include <QFrame>

#include "ui/painted/painted_view.hpp"

namespace picknext::ui {

class HoverCard final : public QFrame {
  public:
    explicit HoverCard(QWidget* owner);
    /// Beside the item (in the owner's coordinates), where the screen has room, never over it.
    void showBeside(const Card& card, const Theme& theme);

  protected:
    void paintEvent(QPaintEvent*) override;

  private:
    [[nodiscard]] QSizeF measure() const;

    QWidget* m_owner;
    Card m_content;
    Theme m_theme;
    double m_columns[3] = {};
};

} // namespace picknext::ui
