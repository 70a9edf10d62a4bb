// SPDX-License-Identifier: GPL-3.0-or-later
// Go to a moment: a decision number or a time.
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;

namespace picknext::ui {

/// Takes "#4711", "4711" (a decision) or "84.0015 ms", "12us" (a time).
class GoToDialog final : public QDialog {
    Q_OBJECT
  public:
    explicit GoToDialog(QWidget* parent);

  Q_SIGNALS:
    void decisionAsked(quint64 number);
    void timeAsked(qint64 ns);

  private:
    void take();
    QLineEdit* m_edit;
    QLabel* m_wrong;
};

} // namespace picknext::ui
