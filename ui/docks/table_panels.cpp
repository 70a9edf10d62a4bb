// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/table_panels.hpp"

#include <algorithm>

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/docks/cell_delegate.hpp"
#include "ui/docks/labels.hpp"
#include "ui/models/decision_model.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/models/run_queue_model.hpp"

namespace picknext::ui {

TsvTable::TsvTable(const Selection* selection, QWidget* parent) : QTableView(parent) {
    setItemDelegate(new CellDelegate(selection, this));
    if (selection) connect(selection, &Selection::changed, viewport(), qOverload<>(&QWidget::update));
    setAlternatingRowColors(true);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(8);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setMinimumSectionSize(28);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu;
        for (int c = 1; c < model()->columnCount(); ++c) { // the first column says who
            QAction* a = menu.addAction(model()->headerData(c, Qt::Horizontal).toString());
            a->setCheckable(true);
            a->setChecked(!isColumnHidden(c));
            connect(a, &QAction::toggled, this, [this, c](bool on) { setColumnHidden(c, !on); });
        }
        menu.exec(horizontalHeader()->mapToGlobal(at));
    });
}

QString TsvTable::selectedAsTsv() const {
    QList<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows << index.row();
    if (rows.isEmpty())
        for (int r = 0; r < model()->rowCount(); ++r)
            rows << r;
    std::sort(rows.begin(), rows.end());
    QString text;
    const auto line = [&](auto&& cell) {
        QStringList cells;
        for (int c = 0; c < model()->columnCount(); ++c)
            if (!isColumnHidden(c)) cells << cell(c);
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    line([&](int c) { return model()->headerData(c, Qt::Horizontal).toString(); });
    for (const int r : rows)
        line([&](int c) { return model()->index(r, c).data(CopyRole).toString(); });
    return text;
}

void TsvTable::copyAsTsv() const { QApplication::clipboard()->setText(selectedAsTsv()); }

void TsvTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copyAsTsv();
    else
        QTableView::keyPressEvent(event);
}

namespace {
/// Row heights and column widths from the font in force; samples says how wide each column has to be.
void fit(TsvTable& table, const QStringList& samples) {
    const Theme theme = Theme::of(table);
    table.verticalHeader()->setDefaultSectionSize(QFontMetrics(theme.body).height() + 4);
    const QFontMetrics fixed(theme.fixed_strong);
    const QFontMetrics strong(theme.strong);
    const QFontMetrics header(table.horizontalHeader()->font());
    for (int c = 0; c < samples.size(); ++c) {
        const QString name = table.model()->headerData(c, Qt::Horizontal).toString();
        table.setColumnWidth(
            c, std::max({fixed.horizontalAdvance(samples[c]), strong.horizontalAdvance(samples[c]),
                         header.horizontalAdvance(name)}) +
                   16);
    }
}
} // namespace

DecisionsPanel::DecisionsPanel(Selection* selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_model(new DecisionModel(this)),
      m_table(new TsvTable(selection)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("decisions"));
    m_table->setAccessibleName(tr("Decisions"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    const auto travel = [this](const QModelIndex& index) {
        if (index.row() != m_model->currentRow()) Q_EMIT decisionAsked(DecisionModel::numberOf(index.row()));
        m_selection->setCpu(CpuId{index.data(CpuRole).toInt()});
    };
    connect(m_table, &QTableView::clicked, this, travel);
    connect(m_table, &QTableView::activated, this, travel);
    setFocusProxy(m_table);
}

void DecisionsPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    m_model->setSnapshot(std::move(snapshot));
    if (!std::exchange(m_sized, true)) sizeColumns();
    const int row = m_model->currentRow();
    if (row < 0) return;
    m_table->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
    m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::EnsureVisible);
}

void DecisionsPanel::sizeColumns() {
    std::string_view kind; // the longest
    for (const KindInfo& k : kind_table())
        if (k.name.size() > kind.size()) kind = k.name;
    fit(*m_table, {QStringLiteral("0 000 000"), QStringLiteral("00000.000000"), QStringLiteral("0000"),
                   QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())), QStringLiteral("worker#00"), QStringLiteral("worker#00")});
}

void DecisionsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_sized) sizeColumns();
}

RunQueuesPanel::RunQueuesPanel(Selection* selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_model(new RunQueueModel(this)),
      m_sorted(new QSortFilterProxyModel(this)), m_table(new TsvTable(selection)),
      m_selectedCpu(new QToolButton), m_allCpus(new QToolButton),
      m_summary(new ElidedLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(4);
    auto* choice = new QButtonGroup(this);
    m_allCpus->setText(tr("All CPUs"));
    for (QToolButton* b : {m_selectedCpu, m_allCpus}) {
        b->setCheckable(true);
        b->setToolButtonStyle(Qt::ToolButtonTextOnly);
        choice->addButton(b);
        bar->addWidget(b);
        connect(b, &QToolButton::toggled, this, &RunQueuesPanel::followSelection);
    }
    m_selectedCpu->setObjectName(QStringLiteral("selectedCpu"));
    m_allCpus->setObjectName(QStringLiteral("allCpus"));
    m_selectedCpu->setChecked(true);
    bar->addWidget(m_summary, 1); // its changing text never asks for a new layout
    auto* copy = new QToolButton;
    copy->setText(tr("Copy as TSV"));
    copy->setToolTip(tr("Copies the selected rows, or all, as tab-separated text"));
    copy->setToolButtonStyle(Qt::ToolButtonTextOnly);
    connect(copy, &QToolButton::clicked, m_table, &TsvTable::copyAsTsv);
    bar->addWidget(copy);
    column->addLayout(bar);
    column->addWidget(m_table, 1);

    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(SortRole);
    m_table->setModel(m_sorted);
    m_table->setObjectName(QStringLiteral("runQueues"));
    m_table->setAccessibleName(tr("Tasks of the run queues"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunQueueModel::Name, Qt::AscendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                const QVariant task = now.siblingAtColumn(0).data(TaskRole);
                if (task.isValid() && m_table->hasFocus()) m_selection->setTask(TaskId{task.toInt()});
            });
    connect(selection, &Selection::changed, this, &RunQueuesPanel::followSelection);
    setFocusProxy(m_table);
}

void RunQueuesPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_model->setSnapshot(m_snapshot);
    if (!std::exchange(m_sized, true)) sizeColumns();
    followSelection();
}

void RunQueuesPanel::followSelection() {
    const CpuId cpu = m_selection->cpu();
    const bool known = m_snapshot && cpu && cpu.index() < m_snapshot->scenario->machine.cpu_count();
    m_selectedCpu->setText(
        tr("CPU %1").arg(known ? m_snapshot->scenario->machine.cpu(cpu).number : cpu.value));
    m_model->setCpu(m_allCpus->isChecked() || !known ? CpuId::none() : cpu);
    m_summary->setWhole(tr("%n tasks", nullptr, m_model->rowCount()));
    for (int r = 0; r < m_sorted->rowCount(); ++r) {
        const QModelIndex index = m_sorted->index(r, 0);
        if (index.data(TaskRole).toInt() != m_selection->task().value) continue;
        if (m_table->currentIndex().row() != r) m_table->selectRow(r);
        return;
    }
}

void RunQueuesPanel::sizeColumns() {
    const QString ns = QStringLiteral("00 000 000 000");
    fit(*m_table, {QStringLiteral("worker#0000"), QStringLiteral("0000"), QStringLiteral("sleeping, delayed"),
                   QStringLiteral("NORMAL"), QStringLiteral("−20"), QStringLiteral("88 761"), ns, ns, ns,
                   QStringLiteral("00 000 000"), ns, QStringLiteral("1024"), QStringLiteral("88 761"),
                   QStringLiteral("0-15,32-47"), QStringLiteral("00 000")});
}

void RunQueuesPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_sized) sizeColumns();
}

} // namespace picknext::ui
