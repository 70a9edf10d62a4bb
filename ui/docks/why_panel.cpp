// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/why_panel.hpp"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QListView>
#include <QScrollBar>
#include <QVBoxLayout>

#include "core/trace/decision.hpp"
#include "ui/docks/check_delegate.hpp"
#include "ui/docks/labels.hpp"
#include "ui/models/check_model.hpp"
#include "ui/models/number_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window_style.hpp"

namespace picknext::ui {

namespace {
QString from(const std::string& text) { return QString::fromStdString(text); }

/// A margin in the unit of its check: virtual and wall times in ms.
QString margin_text(const ExplainedCheck& c) {
    const Unit unit = info(c.check.id).unit;
    if (unit == Unit::ns || unit == Unit::vtime) return WhyPanel::tr("%1 ms").arg(from(ms_text(c.margin)));
    return groupedNumber(c.margin);
}
} // namespace

WhyPanel::WhyPanel(Selection* selection, QWidget* parent)
    : QScrollArea(parent), m_selection(selection), m_title(new RankedLabel(TextRank::title)),
      m_sentence(new RankedLabel(TextRank::body)), m_function(new RankedLabel(TextRank::second)),
      m_checksHeader(new SectionHeader(tr("Checks"))), m_checks(new QListView), m_model(new CheckModel(this)),
      m_delegate(new CheckDelegate(this)), m_closestHeader(new SectionHeader(tr("Closest calls"))),
      m_closest(new RankedLabel(TextRank::body)), m_writesHeader(new SectionHeader(tr("Writes"))),
      m_writes(new RankedLabel(TextRank::body)) {
    auto* paper = new QWidget;
    paper->setObjectName(QStringLiteral("paper"));
    auto* column = new QVBoxLayout(paper);
    column->setContentsMargins(0, 0, 0, 8);
    column->setSpacing(0);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(10, 10, 10, 10);
    head->setSpacing(4);
    for (RankedLabel* label : {m_title, m_sentence, m_function}) {
        label->setWordWrap(true);
        label->setMinimumWidth(1); // a long name must not widen the paper
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        head->addWidget(label);
    }
    m_title->setAccessibleName(tr("Decision"));
    m_title->setObjectName(QStringLiteral("whyTitle"));
    column->addLayout(head);
    column->addWidget(m_checksHeader);
    column->addWidget(m_checks);
    for (const auto& [header, label] :
         {std::pair{m_closestHeader, m_closest}, std::pair{m_writesHeader, m_writes}}) {
        column->addWidget(header);
        label->setWordWrap(true);
        label->setMinimumWidth(1);
        label->setTextFormat(Qt::RichText);
        label->setContentsMargins(8, 6, 8, 6);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    m_writesHeader->setDetail(tr("applied by the next step"));
    column->addStretch(1);

    m_checks->setObjectName(QStringLiteral("checks"));
    m_checks->setAccessibleName(tr("Checks, in the order made"));
    m_checks->setModel(m_model);
    m_checks->setItemDelegate(m_delegate);
    m_checks->setFrameShape(QFrame::NoFrame);
    m_checks->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_checks->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_checks->setSelectionMode(QAbstractItemView::SingleSelection);
    m_checks->setResizeMode(QListView::Adjust);
    connect(m_checks->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                m_selection->setCheck(now.row());
                if (m_delegate->isCompact()) layOutChecks();
                if (m_checks->hasFocus()) selectSubject(now.row()); // chosen, not merely laid out anew
            });

    connect(selection, &Selection::changed, this, [this] {
        if (hasDecision()) m_title->setText(titleHtml());
    });

    setWidget(paper);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Why"));
    showNothing();
}

void WhyPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    if (hasDecision())
        showDecision();
    else
        showNothing();
}

bool WhyPanel::hasDecision() const { return m_snapshot && m_snapshot->header.kind != Kind::count; }

void WhyPanel::showDecision() {
    const Snapshot& s = *m_snapshot;
    m_explanation = explain(*s.scenario, s.state, s.header, s.checks);
    m_detail = tr("#%1 · %2 · CPU %3")
                   .arg(groupedNumber(static_cast<std::int64_t>(s.position.decision)),
                        QString::fromUtf8(info(s.header.kind).name.data()))
                   .arg(s.scenario->machine.cpu(CpuId{static_cast<std::int32_t>(s.header.cpu)}).number);
    m_title->setTextFormat(Qt::RichText);
    m_title->setText(titleHtml());
    m_sentence->setText(from(m_explanation.sentence));
    const Theme theme = Theme::of(*this);
    QString function = QStringLiteral("<span style=\"font-family:'%1'; font-size:%2px\">%3</span>")
                           .arg(theme.fixed.family())
                           .arg(QFontInfo(theme.fixed).pixelSize())
                           .arg(from(m_explanation.function).toHtmlEscaped());
    if (!m_explanation.path.empty())
        function += tr(" · path <b>%1</b>").arg(from(m_explanation.path).toHtmlEscaped());
    m_function->setTextFormat(Qt::RichText);
    m_function->setText(function);
    m_function->setVisible(!m_explanation.function.empty());
    m_model->setChecks(m_snapshot, m_explanation.checks);
    const bool checks = !m_explanation.checks.empty();
    m_checksHeader->setVisible(checks);
    m_checks->setVisible(checks);
    updateChecksHeader();
    m_closestHeader->setVisible(!m_explanation.closest.empty());
    m_closest->setVisible(!m_explanation.closest.empty());
    m_closest->setText(closestHtml());
    m_writesHeader->setVisible(!m_explanation.writes.empty());
    m_writes->setVisible(!m_explanation.writes.empty());
    m_writes->setText(writesHtml());
    layOutChecks();
    revealChecks();
}

void WhyPanel::showNothing() {
    m_detail.clear();
    m_explanation = {};
    m_model->setChecks(nullptr, {});
    for (QWidget* w : {static_cast<QWidget*>(m_checksHeader), static_cast<QWidget*>(m_checks),
                       static_cast<QWidget*>(m_closestHeader), static_cast<QWidget*>(m_closest),
                       static_cast<QWidget*>(m_writesHeader), static_cast<QWidget*>(m_writes),
                       static_cast<QWidget*>(m_function)})
        w->hide();
    m_title->setTextFormat(Qt::PlainText);
    if (!m_snapshot) {
        m_title->setText(tr("No scenario is open."));
        m_sentence->setText(tr("Ctrl+O opens one; a file can also be dropped on the window."));
    } else if (m_snapshot->position.decision == 0) {
        m_title->setText(tr("Nothing decided yet."));
        m_sentence->setText(tr("The run stands at its start. F10 goes to the first decision."));
    } else {
        m_title->setText(tr("The run has ended."));
        m_sentence->setText(tr("No event is left. F8 goes back to the last decision."));
    }
}

void WhyPanel::setCompact(bool compact) {
    if (compact == m_delegate->isCompact()) return;
    m_delegate->setCompact(compact);
    updateChecksHeader();
    layOutChecks();
}

void WhyPanel::updateChecksHeader() {
    const int n = m_model->rowCount();
    const bool compact = m_delegate->isCompact();
    m_checksHeader->setDetail(compact ? QString::number(n) : tr("%n, in the order made", nullptr, n));
    m_checksHeader->setRight(compact ? tr("select a row for inputs") : QString());
}

/// The list shows all its rows; the panel scrolls as one.
void WhyPanel::layOutChecks() {
    m_delegate->setWidth(viewport()->width());
    m_delegate->setSelectedRow(m_checks->currentIndex().row());
    int height = 0;
    QStyleOptionViewItem option;
    option.initFrom(m_checks);
    option.widget = m_checks;
    for (int row = 0; row < m_model->rowCount(); ++row)
        height += m_delegate->sizeHint(option, m_model->index(row)).height();
    m_checks->setFixedHeight(height);
    m_checks->doItemsLayout();
}

void WhyPanel::revealChecks() {
    // Stepping by check follows the steps; else the deciding check has to be in sight.
    const int made = m_snapshot->position.check;
    const int row = made < m_model->rowCount() ? made - 1 : m_model->decidingRow();
    widget()->layout()->activate();
    if (row <= 0) {
        verticalScrollBar()->setValue(0);
        return;
    }
    const QRect at = m_checks->visualRect(m_model->index(row));
    const int bottom = m_checks->y() + at.bottom();
    verticalScrollBar()->setValue(
        bottom <= viewport()->height() ? 0 : bottom - viewport()->height() + at.height());
}

void WhyPanel::selectSubject(int row) {
    if (row < 0 || row >= m_model->rowCount()) return;
    const Check& c = m_model->check(row).check;
    if (c.subject < 0) return;
    switch (info(c.id).subject) {
    case SubjectType::task:
        m_selection->setTask(TaskId{c.subject});
        break;
    case SubjectType::cpu:
        m_selection->setCpu(CpuId{c.subject});
        break;
    case SubjectType::entity:
        if (const TaskId t = m_snapshot->state.entity(EntityId{c.subject}).task) m_selection->setTask(t);
        break;
    case SubjectType::queue:
    case SubjectType::none:
        break;
    }
}

QString WhyPanel::titleHtml() const {
    const Snapshot& s = *m_snapshot;
    QString title = from(m_explanation.title).toHtmlEscaped();
    TaskId named{s.header.task};
    const OutcomeType type = info(s.header.kind).outcome;
    if (type == OutcomeType::task) named = TaskId{s.header.outcome};
    if (type == OutcomeType::entity && s.header.outcome >= 0)
        named = s.state.entity(EntityId{s.header.outcome}).task;
    if (!named) return title;
    const QString name = from(name_of(*s.scenario, s.state, named)).toHtmlEscaped();
    const qsizetype at = title.lastIndexOf(name);
    if (at < 0) return title;
    const Theme theme = Theme::of(*this);
    const Task& task = s.state.task(named);
    const bool focus = named == m_selection->task() || (task.on_rq != 0 && task.cpu == m_selection->cpu());
    const QString chip = chipHtml(theme.fill(named.index(), focus), theme.ctl,
                                  QFontMetrics(theme.title).ascent() * 8 / 10, devicePixelRatioF());
    return title.insert(at, chip + QStringLiteral("&nbsp;"));
}

QString WhyPanel::closestHtml() const {
    QString html = QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"2\">");
    const Theme theme = Theme::of(*this);
    for (const std::size_t i : m_explanation.closest) {
        const ExplainedCheck& c = m_explanation.checks[i];
        html +=
            QStringLiteral(
                "<tr><td>%1</td><td align=\"right\" style=\"font-family:'%2'; white-space:pre\">%3</td></tr>")
                .arg(from(c.question).toHtmlEscaped(), theme.fixed.family(), margin_text(c).toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

QString WhyPanel::writesHtml() const {
    QString html = QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"2\">");
    const Theme theme = Theme::of(*this);
    for (const Write& w : m_explanation.writes)
        html += QStringLiteral("<tr><td style=\"font-family:'%1'\">%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(theme.fixed.family(), from(w.field).toHtmlEscaped(), from(w.change).toHtmlEscaped());
    return html + QStringLiteral("</table>");
}

QString WhyPanel::asText() const {
    if (!hasDecision()) return {};
    return from(
        as_mail_text(*m_snapshot->scenario, m_snapshot->state, m_snapshot->header, m_snapshot->checks));
}

void WhyPanel::copyAsText() const { QApplication::clipboard()->setText(asText()); }

void WhyPanel::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    layOutChecks();
}

void WhyPanel::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
    if (hasDecision()) showDecision();
}

} // namespace picknext::ui
