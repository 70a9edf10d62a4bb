// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, refusing, saving and remembering files.
#include <algorithm>

#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QVBoxLayout>

#include "ui/dialogs/refused_dialog.hpp"
#include "ui/docks/bench_panel.hpp"
#include "ui/docks/table_panels.hpp"
#include "ui/main_window.hpp"

namespace picknext::ui {

namespace {
constexpr int recent_count = 10;
const QString recent_key = QStringLiteral("recent");
} // namespace

void MainWindow::openFile(const QString& path, std::optional<quint64> decision) {
    auto* loader = QThread::create([this, path, decision] {
        io::Report report;
        auto read = io::open_any(path.toStdString(), report);
        std::shared_ptr<Scenario> scenario;
        if (read) {
            scenario = std::make_shared<Scenario>(std::move(*read));
            if (decision) scenario->cursor_decision = *decision;
        }
        const Error error = read ? Error{} : read.error();
        QMetaObject::invokeMethod(this, [this, path, scenario, error, report = std::move(report)] {
            if (scenario)
                opened(path, scenario, report);
            else
                refuse(path, error, report);
        });
    });
    m_loaders.push_back(loader);
    connect(loader, &QThread::finished, this, [this, loader] {
        std::erase(m_loaders, loader);
        loader->deleteLater();
    });
    loader->start();
}

void MainWindow::opened(const QString& path, std::shared_ptr<const Scenario> scenario, io::Report report) {
    m_report = std::move(report);
    remember(path);
    openScenario(std::move(scenario), QFileInfo(path).fileName());
    const auto warnings = std::count_if(m_report.begin(), m_report.end(), [](const io::Message& m) {
        return m.severity == io::Severity::warning;
    });
    if (warnings > 0)
        statusBar()->showMessage(
            tr("%1 is open, with %n warnings: see File > Import report", nullptr, static_cast<int>(warnings))
                .arg(m_name));
}

void MainWindow::openScenario(std::shared_ptr<const Scenario> scenario, const QString& name) {
    m_name = name;
    setWindowTitle(tr("%1 — picknext").arg(name));
    statusBar()->clearMessage();
    m_controller->open(std::move(scenario));
}

void MainWindow::refuse(const QString& path, const Error& error, io::Report report) {
    auto* dialog = new RefusedDialog(path, error, std::move(report), m_snapshot ? m_name : QString(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    Q_EMIT refused(error);
}

void MainWindow::showReport() {
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Import report of %1").arg(m_name));
    auto* column = new QVBoxLayout(dialog);
    auto* table = new TsvTable;
    table->setModel(new ReportModel(m_report, dialog));
    table->setAccessibleName(tr("Report"));
    table->horizontalHeader()->setSectionResizeMode(ReportModel::Message, QHeaderView::Stretch);
    column->addWidget(table, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(fontMetrics().averageCharWidth() * 110, 420);
    dialog->open();
}

void MainWindow::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Open"), QSettings().value(QStringLiteral("folder")).toString(),
                                   tr("Scenarios, workloads, topologies (*.json *.xml);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        QSettings().setValue(QStringLiteral("folder"), QFileInfo(path).absolutePath());
        openFile(path);
    });
    dialog->open();
}

void MainWindow::chooseSaveFile() {
    if (!m_snapshot) return;
    auto* dialog = new QFileDialog(this, tr("Save as"), m_name, tr("Scenarios (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        Scenario copy = *m_snapshot->scenario;
        copy.cursor_decision = m_snapshot->position.decision;
        copy.select_cpu = m_selection->cpu();
        const auto written = io::write_file(path.toStdString(), io::write_scenario(copy));
        if (!written) {
            refuse(path, written.error(), {});
            return;
        }
        m_name = QFileInfo(path).fileName();
        setWindowTitle(tr("%1 — picknext").arg(m_name));
        remember(path);
        statusBar()->showMessage(tr("Saved as %1").arg(path), 6000);
    });
    dialog->open();
}

void MainWindow::chooseBenchFile(const QString& ending) {
    const QString folder = QSettings().value(QStringLiteral("folder")).toString();
    const QString name = m_bench->exportName(ending);
    auto* dialog = new QFileDialog(this, tr("Export"), folder.isEmpty() ? name : folder + QLatin1Char('/') + name, tr("%1 files (*.%2)").arg(ending.toUpper(), ending));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { m_bench->exportTo(path); });
    dialog->open();
}

QStringList MainWindow::recentFiles() { return QSettings().value(recent_key).toStringList(); }

void MainWindow::remember(const QString& path) {
    QStringList files = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(recent_key, files.mid(0, recent_count));
}

void MainWindow::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& path : recentFiles()) {
        QString text = path;
        QAction* a = menu->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        connect(a, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    if (menu->isEmpty()) menu->addAction(tr("Nothing opened yet"))->setEnabled(false);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openFile(event->mimeData()->urls().first().toLocalFile());
}

} // namespace picknext::ui
