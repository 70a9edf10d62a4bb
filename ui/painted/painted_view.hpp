// SPDX-License-Identifier: GPL-3.0-or-later
// What all painted views share: the snapshot, the selection, the theme, hover cards, focus and accessible items.
// A view is a function of (snapshot, selection, its own zoom); it computes no scheduler number.
#pragma once

#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QPixmap>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/history/timeline.hpp"
#include "ui/run/selection.hpp"
#include "ui/theme/theme.hpp"

namespace picknext::ui {

/// A row of a hover card: name, exact value, and the value people compare; the last may be empty.
struct CardRow {
    QString name, value, relative;
};
struct Card {
    QRectF item;           // what it is about: the card is placed beside it
    QString title, detail; // strong, then plain
    std::vector<CardRow> rows;
};

class HoverCard;

class PaintedView : public QWidget {
    Q_OBJECT
  public:
    PaintedView(Selection* selection, QWidget* parent);
    ~PaintedView() override;

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    [[nodiscard]] const Snapshot* snapshot() const { return m_snapshot.get(); }

    /// What stands behind the dock's title: "10 tasks · V = 9 825 907 ns".
    [[nodiscard]] virtual QString caption() const { return {}; }
    /// Level of detail in use, for the status bar.
    [[nodiscard]] virtual QString detailText() const { return {}; }

    // Items for assistive technology and tests, in reading order.
    [[nodiscard]] virtual int itemCount() const { return 0; }
    [[nodiscard]] virtual QString itemName(int /*item*/) const { return {}; }
    [[nodiscard]] virtual QRectF itemRect(int /*item*/) const { return {}; }
    [[nodiscard]] virtual int currentItem() const { return -1; }
    virtual void activateItem(int /*item*/) {}

  Q_SIGNALS:
    /// The user asks to go to this moment, ns.
    void travelRequested(qint64 ns);
    /// The user asks for this decision by number, 0 = the start.
    void decisionRequested(quint64 decision);
    /// caption() or detailText() changed.
    void captionChanged();

  protected:
    /// The snapshot or the selection changed, or the widget's size or theme: lay out again.
    virtual void relayout() = 0;
    /// Before relayout, with the snapshot that was shown until now (may be null).
    virtual void aboutToShow(const Snapshot* /*previous*/) {}
    virtual void paint(QPainter& p) = 0;
    [[nodiscard]] virtual Card cardAt(const QPointF& /*at*/) const { return {}; }

    [[nodiscard]] Selection& selection() const { return *m_selection; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] const State& state() const { return m_snapshot->state; }
    [[nodiscard]] const Machine& machine() const { return m_snapshot->scenario->machine; }
    [[nodiscard]] const Settings& settings() const { return m_snapshot->state.settings; }
    /// The selected CPU, or none when this machine has no such CPU.
    [[nodiscard]] CpuId selectedCpu() const;
    [[nodiscard]] QString cpuNumber(CpuId cpu) const;
    [[nodiscard]] QString taskName(TaskId task) const;
    [[nodiscard]] QString entityName(EntityId entity) const;
    /// On the selected CPU's queue, or selected itself: such tasks wear their full colour.
    [[nodiscard]] bool inFocus(TaskId task) const;
    [[nodiscard]] QColor taskFill(TaskId task) const;
    /// Colour of an entity: its task's; a group has the text colour at half strength.
    [[nodiscard]] QColor entityColour(EntityId entity) const;
    [[nodiscard]] double u(double design_px) const { return design_px * m_theme.unit; }
    /// What the selected row of Why speaks of, or none.
    [[nodiscard]] EntityId attendedEntity() const;
    [[nodiscard]] CpuId attendedCpu() const;
    /// Steps follow each other faster than motion could be seen, or the desktop wants none.
    [[nodiscard]] int motionDuration() const;
    void requestDecision(std::int64_t number);
    void hideCard();
    /// Lays out and paints again.
    void refresh();
    /// Paints again: what was painted is kept as a picture, so that hovering costs nothing.
    void redraw();

    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent* e) override;
    void mouseMoveEvent(QMouseEvent* e) override;
    void leaveEvent(QEvent*) override;
    void focusInEvent(QFocusEvent* e) override;
    void focusOutEvent(QFocusEvent* e) override;

  private:
    [[nodiscard]] std::int32_t attended(SubjectType type) const;
    void showCard();
    void hover(const QRectF& item);
    void announce();

    Selection* m_selection;
    std::shared_ptr<const Snapshot> m_snapshot;
    Theme m_theme;
    QPixmap m_picture;      // of paint(), null = to be painted
    QTimer m_hover;
    QPointF m_pointer;
    QRectF m_hovered;       // outlined, empty = none
    int m_announced = -1;   // item last told to assistive technology
    std::unique_ptr<HoverCard> m_card;
    QElapsedTimer m_since_snapshot;
    bool m_fast = false;
};

/// The queue the views speak of: the one a pick on this CPU looks at, else the CPU's root queue.
[[nodiscard]] QueueId queue_in_view(const Snapshot& snapshot, CpuId cpu);
/// How many checks of the decision have been seen (stepping by check).
[[nodiscard]] std::span<const Check> checks_seen(const Snapshot& snapshot);
/// What the decision picked from this queue, once all its checks are seen; else none.
[[nodiscard]] EntityId picked_from(const Snapshot& snapshot, QueueId queue);

} // namespace picknext::ui
