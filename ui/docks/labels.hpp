// SPDX-License-Identifier: GPL-3.0-or-later
// Labels for headings and details: one that elides, and the strip that heads a section of a dock.
#pragma once

#include <QFrame>
#include <QLabel>

namespace picknext::ui {

/// One line of text, cut in the middle when there is no room; the whole is in the tool tip.
class ElidedLabel final : public QLabel {
    Q_OBJECT
  public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setWhole(const QString& text);
    [[nodiscard]] QString whole() const { return m_whole; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString m_whole;
};

/// "Checks   8, in the order made            value · margin in ms".
class SectionHeader final : public QFrame {
    Q_OBJECT
  public:
    explicit SectionHeader(const QString& title, QWidget* parent = nullptr);
    void setDetail(const QString& detail);
    void setRight(const QString& right);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    ElidedLabel* m_detail;
    QLabel* m_right;
};

/// A label of second rank, or in the strong, title or fixed font of the theme; follows font changes.
enum class TextRank { body, second, strong, title, fixedSmall };
class RankedLabel final : public QLabel {
    Q_OBJECT
  public:
    explicit RankedLabel(TextRank rank, QWidget* parent = nullptr);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void updateFont();
    TextRank m_rank;
    bool m_updating = false;
};

} // namespace picknext::ui
