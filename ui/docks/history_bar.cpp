// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/history_bar.hpp"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/docks/labels.hpp"
#include "ui/models/number_text.hpp"
#include "ui/theme/theme.hpp"

namespace picknext::ui {

ReplayBar::ReplayBar(QWidget* parent)
    : QFrame(parent), m_what(new RankedLabel(TextRank::strong)), m_bar(new QProgressBar),
      m_rate(new RankedLabel(TextRank::second)), m_cancel(new QPushButton(tr("Cancel (Esc)"))) {
    setObjectName(QStringLiteral("strip"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(12);
    row->addWidget(m_what);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 100);
    m_bar->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    m_bar->setAccessibleName(tr("Progress of the replay"));
    row->addWidget(m_bar, 1);
    row->addWidget(m_rate);
    row->addStretch(1);
    row->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, &ReplayBar::cancelled);
}

void ReplayBar::setTarget(const QString& what) {
    m_what->setText(what);
    m_bar->setRange(0, 0); // not known yet
    m_rate->clear();
}

void ReplayBar::setProgress(const RunProgress& progress) {
    m_bar->setRange(0, 100);
    m_bar->setValue(progress.percent);
    const double millions = progress.eventsPerSecond / 1e6;
    m_rate->setText(tr("%1 % · #%2 · %3 M events/s")
                        .arg(progress.percent)
                        .arg(groupedNumber(static_cast<std::int64_t>(progress.decision)))
                        .arg(millions, 0, 'f', 1));
}

HistoryBar::HistoryBar(Selection* selection, QWidget* parent) : QToolBar(parent) {
    setObjectName(QStringLiteral("history"));
    setWindowTitle(tr("History"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_replay = new ReplayBar;
    m_replay->hide();
    column->addWidget(m_replay);
    m_scrubber = new ScrubberView(selection, box);
    m_scrubber->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column->addWidget(m_scrubber);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addWidget(box);
}

void HistoryBar::setScrubberHeight(int height) {
    m_scrubber->setFixedHeight(qRound(height * Theme::of(*this).unit));
}

} // namespace picknext::ui
