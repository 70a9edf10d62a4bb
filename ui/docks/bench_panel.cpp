// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/bench_panel.hpp"

#include <algorithm>

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/io/document.hpp"
#include "core/io/results_json.hpp"
#include "ui/actions/action_registry.hpp"
#include "ui/docks/bench_form.hpp"
#include "ui/docks/labels.hpp"
#include "ui/docks/table_panels.hpp"
#include "ui/models/bench_charts.hpp"
#include "ui/models/bench_sheets.hpp"
#include "ui/models/number_text.hpp"
#include "ui/plots/chart_view.hpp"
#include "ui/theme/theme.hpp"
#include "ui/transport_bar.hpp"

namespace picknext::ui {

namespace {
constexpr int redraw_ms = 200;   // between two drawings while results arrive
constexpr int least_rows = 7;    // of a table in sight
constexpr int most_columns = 3;  // of plots

QString seconds(qint64 ms) {
    if (ms < 10'000) return QStringLiteral("%1 s").arg(static_cast<double>(ms) / 1000, 0, 'f', 1);
    const qint64 s = ms / 1000;
    return s < 120 ? QStringLiteral("%1 s").arg(s) : QStringLiteral("%1 min %2 s").arg(s / 60).arg(s % 60);
}
} // namespace

BenchPanel::BenchPanel(const ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), m_runner(new BenchRunner(this)), m_form(new BenchForm), m_results(new SheetModel(this)), m_counted(new SheetModel(this)),
      m_constants(new SheetModel(this)) {
    setObjectName(QStringLiteral("bench"));
    build(actions);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(redraw_ms);
    connect(&m_redraw, &QTimer::timeout, this, &BenchPanel::updateResults);
    connect(m_form, &BenchForm::changed, this, [this] {
        m_wrong->hide();
        m_note->setText(m_form->note());
        m_note->setVisible(!m_note->text().isEmpty());
        Q_EMIT stateChanged();
    });
    connect(m_form, &BenchForm::runAsked, actions.action(QStringLiteral("bench.run")), &QAction::trigger);
    connect(m_runner, &BenchRunner::listed, m_form, &BenchForm::setEntries);
    connect(m_runner, &BenchRunner::refused, this, [this](const Error& error) {
        const QString where = error.place.column > 0 ? tr("%1, column %2: ").arg(m_form->part(error)).arg(error.place.column)
                                                     : error.place.file.empty() ? QString() : tr("%1: ").arg(m_form->part(error));
        refuse(where + QString::fromStdString(error.message));
        m_form->point(error);
        showProgress();
    });
    connect(m_runner, &BenchRunner::started, this, [this] {
        m_cellChosen = false;
        m_said.clear();
        updateResults();
        showProgress();
    });
    connect(m_runner, &BenchRunner::advanced, this, [this](bool newRuns) {
        showProgress();
        if (newRuns && !m_redraw.isActive()) m_redraw.start();
    });
    connect(m_runner, &BenchRunner::finished, this, [this](bool cancelled) {
        if (!m_seeking) {
            const bench::Outcome& o = m_runner->outcome();
            const auto done = std::count_if(o.runs.begin(), o.runs.end(), [](const bench::Run& r) { return r.end == bench::End::done; });
            const auto late = std::count_if(o.runs.begin(), o.runs.end(), [](const bench::Run& r) { return r.end == bench::End::too_long; });
            m_said = cancelled ? tr("Stopped: %1 of %2 runs in %3. What was done is kept.").arg(done).arg(o.runs.size()).arg(seconds(m_runner->elapsed()))
                               : tr("%1 of %2 runs in %3.").arg(done).arg(o.runs.size()).arg(seconds(m_runner->elapsed()));
            if (late > 0) m_said += tr(" %1 did not end within an hour of simulated time.").arg(late);
            m_redraw.stop();
            updateResults();
        } else if (cancelled) {
            m_said = tr("Stopped looking for the slowest moment.");
        }
        m_seeking = false;
        showProgress();
    });
    connect(m_runner, &BenchRunner::momentFound, this, [this](const std::shared_ptr<const Scenario>& scenario) {
        m_said = tr("Opened at its slowest moment, #%1.").arg(groupedNumber(static_cast<std::int64_t>(scenario->cursor_decision.value_or(0))));
        Q_EMIT momentFound(scenario);
    });
    setFocusProxy(m_form->command());
    updateResults();
    showProgress();
}

QWidget* BenchPanel::buildBar(const ActionRegistry& actions) {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 6, 8, 2);
    row->setSpacing(8);
    row->addWidget(m_form->source());
    row->addWidget(m_form->command(), 1);
    const auto button = [&](const char* id, const QString& word) {
        QAction* action = actions.action(QLatin1String(id));
        auto* b = new QPushButton(word);
        b->setObjectName(QString::fromLatin1(id));
        b->setAccessibleName(ActionRegistry::title(action));
        const auto follow = [b, action] {
            b->setEnabled(action->isEnabled());
            b->setToolTip(action->toolTip());
        };
        connect(action, &QAction::changed, b, follow);
        connect(b, &QPushButton::clicked, action, &QAction::trigger);
        follow();
        return b;
    };
    m_runButton = button("bench.run", tr("Run"));
    m_runButton->setProperty("primary", true);
    row->addWidget(m_runButton);
    m_cancelButton = button("bench.cancel", tr("Cancel"));
    auto* more = new QToolButton;
    more->setText(tr("Export…"));
    more->setObjectName(QStringLiteral("benchExport"));
    more->setToolButtonStyle(Qt::ToolButtonTextOnly);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setToolTip(tr("The chosen plot as a picture, the results as a table or as JSON"));
    auto* menu = new QMenu(more);
    for (const char* id : {"bench.exportPng", "bench.exportSvg", "bench.exportPdf", "bench.exportCsv", "bench.exportJson"}) menu->addAction(actions.action(QLatin1String(id)));
    more->setMenu(menu);
    row->addWidget(more);
    row->addWidget(button("bench.slowest", tr("Open slowest")));
    return bar;
}

QWidget* BenchPanel::buildProgress(const ActionRegistry&) {
    auto* strip = new QWidget;
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(8, 2, 8, 4);
    row->setSpacing(8);
    m_bar = new QProgressBar;
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(fontMetrics().averageCharWidth() * 22);
    m_bar->setAccessibleName(tr("Progress of the benchmark"));
    row->addWidget(m_bar);
    m_progressText = new ElidedLabel;
    m_progressText->setObjectName(QStringLiteral("benchProgress"));
    row->addWidget(m_progressText, 1);
    row->addWidget(m_cancelButton);
    return strip;
}

TsvTable* BenchPanel::addTable(SheetModel* model, const QString& title, const char* name) {
    auto* table = new TsvTable;
    table->setModel(model);
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(title);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    table->setMinimumHeight((fontMetrics().height() + 4) * (least_rows + 2)); // with header and scroll bar
    m_tabs->addTab(table, title);
    m_tables.push_back(table);
    return table;
}

void BenchPanel::build(const ActionRegistry& actions) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar(actions));
    m_wrong = new QFrame;
    m_wrong->setObjectName(QStringLiteral("wrongStrip"));
    auto* wrongRow = new QHBoxLayout(m_wrong);
    wrongRow->setContentsMargins(8, 4, 8, 4);
    m_wrongText = new RankedLabel(TextRank::body);
    m_wrongText->setObjectName(QStringLiteral("benchWrong"));
    m_wrongText->setWordWrap(true);
    wrongRow->addWidget(m_wrongText);
    m_wrong->hide();
    column->addWidget(m_wrong);
    m_progress = buildProgress(actions);
    column->addWidget(m_progress);

    auto* paper = new QWidget;
    paper->setObjectName(QStringLiteral("paper"));
    auto* content = new QVBoxLayout(paper);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(0);
    content->addWidget(m_form);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 2, 8, 4);
    head->setSpacing(12);
    m_headline = new RankedLabel(TextRank::title);
    m_headline->setObjectName(QStringLiteral("benchHeadline"));
    m_basis = new ElidedLabel;
    m_basis->setObjectName(QStringLiteral("benchBasis"));
    head->addWidget(m_headline);
    head->addWidget(m_basis, 1);
    content->addLayout(head);
    m_empty = new RankedLabel(TextRank::body);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(8, 8, 8, 8);
    m_empty->setText(tr("Nothing has been run. Choose what a mail thread measured, or type a command line as in a shell, and press Run: the published figures and "
                        "the simulated ones then stand side by side. Every time is simulated from the cost profile chosen, and says what it rests on."));
    content->addWidget(m_empty);
    m_grid = new QGridLayout;
    m_grid->setContentsMargins(4, 0, 4, 0);
    m_grid->setSpacing(4);
    content->addLayout(m_grid, 3);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setDrawBase(false);
    m_tabs->setObjectName(QStringLiteral("benchTables"));
    TsvTable* results = addTable(m_results, tr("Results"), "benchResults");
    addTable(m_counted, tr("Counted"), "benchCounted");
    addTable(m_constants, tr("Rests on"), "benchConstants");
    connect(results->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && now.row() < m_results->rowCount()) chooseCell(m_results->sheet().rows[static_cast<std::size_t>(now.row())].key);
    });
    content->addWidget(m_tabs, 2);
    m_note = new RankedLabel(TextRank::second);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(8, 4, 8, 8);
    m_note->hide();
    content->addWidget(m_note);
    content->addStretch(0);
    m_scroll = new QScrollArea;
    m_scroll->setObjectName(QStringLiteral("benchScroll"));
    m_scroll->setWidget(paper);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->installEventFilter(this);
    column->addWidget(m_scroll, 1);
}

void BenchPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!std::exchange(m_listed, true)) m_runner->list();
}

void BenchPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    for (TsvTable* table : m_tables) {
        table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
        table->resizeColumnsToContents();
    }
    arrangePlots();
}

bool BenchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) arrangePlots();
    return QWidget::eventFilter(watched, event);
}

bool BenchPanel::hasResults() const {
    const auto& runs = m_runner->outcome().runs;
    return std::any_of(runs.begin(), runs.end(), [](const bench::Run& r) { return r.end == bench::End::done; });
}

void BenchPanel::run() {
    const BenchChoice choice = m_form->choice();
    m_wrong->hide();
    if (choice.request.command.empty()) {
        refuse(tr("There is no command. Type one, such as hackbench -p -T -l 200 -g 4, or choose what a thread measured."));
        m_form->command()->setFocus();
        return;
    }
    m_seeking = false;
    const bool byButton = m_runButton->hasFocus();
    m_said = tr("Making the workload…");
    m_runner->start(choice);
    showProgress();
    if (byButton) m_cancelButton->setFocus(); // a button that goes off would hand the focus to anything
}

void BenchPanel::cancel() { m_runner->cancel(); }

void BenchPanel::openSlowest() {
    if (!hasResults() || m_runner->isRunning()) return;
    m_seeking = true;
    m_said = tr("Looking for the slowest moment…");
    m_runner->findSlowest(m_cell);
    showProgress();
}

void BenchPanel::refuse(const QString& sentence) {
    m_said.clear();
    m_wrongText->setText(sentence);
    m_wrong->show();
}

void BenchPanel::showProgress() {
    const bool running = m_runner->isRunning();
    const bool giveBack = !running && m_cancelButton->hasFocus();
    const bench::Done& done = m_runner->done();
    m_bar->setVisible(running && !m_seeking);
    m_cancelButton->setVisible(running);
    QString text = m_said;
    if (running && !m_seeking && m_runner->work() && m_said.isEmpty()) {
        m_bar->setValue(qRound(done.fraction * 1000));
        text = tr("%1 of %2 runs · %3 %").arg(done.runs).arg(done.of).arg(static_cast<int>(done.fraction * 100));
        if (const qint64 ms = m_runner->elapsed(); done.fraction > 0.02 && ms > 500)
            text += tr(" · about %1 left").arg(seconds(static_cast<qint64>(static_cast<double>(ms) * (1 - done.fraction) / done.fraction)));
    }
    m_progressText->setWhole(text);
    m_progress->setVisible(running || !text.isEmpty());
    Q_EMIT stateChanged();
    if (giveBack) m_runButton->setFocus();
}

void BenchPanel::chooseCell(int cell) {
    if (cell < 0 || (m_cellChosen && m_cell == static_cast<std::size_t>(cell))) return;
    m_cellChosen = true;
    m_cell = static_cast<std::size_t>(cell);
    updateResults();
}

void BenchPanel::updateResults() {
    const std::shared_ptr<const BenchWork>& work = m_runner->work();
    const bool any = work && hasResults();
    m_empty->setVisible(!any);
    m_tabs->setVisible(any);
    m_headline->setVisible(any);
    m_basis->setVisible(any);
    if (work && !m_cellChosen) {
        // The last point there is something to see of.
        m_cell = 0;
        for (std::size_t c = 0; c < work->panel.plan.cells.size(); ++c)
            if (!bench::metrics_of(m_runner->outcome(), c).empty()) m_cell = c;
    }
    updatePlots();
    if (!any) {
        Q_EMIT stateChanged();
        return;
    }
    const QString headline = BenchSheets::headline(*work, m_runner->outcome(), m_cell);
    m_headline->setText(headline);
    m_headline->setVisible(!headline.isEmpty());
    const QString basis = BenchSheets::basis(*work, m_runner->outcome(), m_cell);
    const std::string& scaling = work->panel.plan.cells.front().benchmark.scaling;
    QStringList said{tr("Simulated")};
    said << (scaling.empty() ? tr("full size") : QString::fromStdString(scaling));
    said << (basis.isEmpty() ? tr("no kernel time was charged") : tr("the kernel's time rests on constants: %1").arg(basis));
    m_basis->setWhole(said.join(QStringLiteral(" · ")));
    updateTables();
    QStringList notes;
    const auto words = [](std::string_view t) { return QString::fromUtf8(t.data(), static_cast<qsizetype>(t.size())); };
    if (const bench::Thread* t = work->origin) {
        notes << tr("%1. %2, %3. Measured machine: %4.").arg(words(t->title), words(t->author), words(t->date), words(t->machine));
        if (!work->panel.note.empty()) notes << tr("Here: %1.").arg(words(work->panel.note));
        notes << tr("What the model cannot show: %1").arg(words(t->cannot_show));
    }
    for (const std::string& n : work->panel.plan.cells.front().benchmark.notes) notes << QString::fromStdString(n) + QLatin1Char('.');
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!notes.isEmpty());
    Q_EMIT stateChanged();
}

void BenchPanel::updateTables() {
    const BenchWork& work = *m_runner->work();
    const bench::Outcome& outcome = m_runner->outcome();
    m_results->setSheet(BenchSheets::results(work, outcome, m_cell));
    m_counted->setSheet(BenchSheets::counted(work, outcome, m_cell));
    m_constants->setSheet(BenchSheets::constants(work, outcome, m_cell));
    for (TsvTable* table : m_tables) table->resizeColumnsToContents();
}

void BenchPanel::updatePlots() {
    std::vector<Chart> charts;
    if (m_runner->work() && hasResults()) charts = BenchCharts::of(*m_runner->work(), m_runner->outcome(), m_cell);
    while (m_charts.size() < charts.size()) {
        auto* view = new ChartView;
        const int index = static_cast<int>(m_charts.size());
        view->setObjectName(QStringLiteral("benchPlot%1").arg(index));
        connect(view, &ChartView::chosen, this, [this, index] { choosePlot(index); });
        m_charts.push_back(view);
    }
    m_shown = static_cast<int>(charts.size());
    arrangePlots();
    for (std::size_t i = 0; i < charts.size(); ++i) m_charts[i]->setChart(std::move(charts[i]));
    if (m_chosen >= m_shown || m_chosen < 0) choosePlot(m_shown > 0 ? 0 : -1);
}

void BenchPanel::arrangePlots() {
    if (m_charts.empty()) return;
    const int least = std::max(1, m_charts.front()->minimumSizeHint().width());
    const int columns = std::clamp((m_scroll->viewport()->width() - 8) / least, 1, std::clamp(m_shown, 1, most_columns));
    for (int i = 0; i < static_cast<int>(m_charts.size()); ++i) {
        ChartView* view = m_charts[static_cast<std::size_t>(i)];
        m_grid->removeWidget(view);
        if (i < m_shown) m_grid->addWidget(view, i / columns, i % columns);
        view->setVisible(i < m_shown);
    }
    for (int c = 0; c < most_columns; ++c) m_grid->setColumnStretch(c, c < columns ? 1 : 0);
}

void BenchPanel::choosePlot(int index) {
    m_chosen = index;
    for (int i = 0; i < static_cast<int>(m_charts.size()); ++i) m_charts[static_cast<std::size_t>(i)]->setChosen(i == index);
    Q_EMIT stateChanged();
}

QString BenchPanel::exportName(const QString& ending) const {
    const bool plot = ending != QLatin1String("csv") && ending != QLatin1String("json");
    return plot && m_chosen >= 0 ? QStringLiteral("%1.%2").arg(m_charts[static_cast<std::size_t>(m_chosen)]->chart().id, ending) : QStringLiteral("results.%1").arg(ending);
}

bool BenchPanel::exportTo(const QString& path) {
    if (!hasResults()) return false;
    const BenchWork& work = *m_runner->work();
    const bench::Outcome& outcome = m_runner->outcome();
    const bool csv = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive), json = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    if (csv || json) {
        const std::string text = csv ? io::results_csv(work.panel.plan, outcome)
                                     : io::write_results(work.panel.plan, outcome, {}, QApplication::applicationVersion().toStdString());
        const auto written = io::write_file(path.toStdString(), text);
        if (!written) {
            refuse(tr("%1 was not written: %2").arg(path, QString::fromStdString(written.error().message)));
            return false;
        }
    } else if (m_chosen < 0 || !m_charts[static_cast<std::size_t>(m_chosen)]->save(path)) {
        refuse(tr("%1 was not written. Choose another place.").arg(path));
        return false;
    }
    m_said = tr("%1 is written.").arg(path);
    showProgress();
    return true;
}

} // namespace picknext::ui
