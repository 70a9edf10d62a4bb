// SPDX-License-Identifier: GPL-3.0-or-later
// The window: one moment of one run in all its docks. It wires the parts and holds no scheduler number
// itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QMainWindow>
#include <QPointer>
#include <QThread>

#include "core/io/document.hpp"
#include "ui/actions/action_registry.hpp"
#include "ui/models/scenario_model.hpp"
#include "ui/run/run_controller.hpp"
#include "ui/run/selection.hpp"
#include "ui/window_style.hpp"

class QLabel;

namespace picknext::ui {

class BenchPanel;
class DecisionsPanel;
class Dock;
class HistoryBar;
class MachineView;
class PaletteDialog;
class QueuePanel;
class RunQueuesPanel;
class ScenarioOverlay;
class ScenarioTree;
class StartPage;
class TimelineView;
class TransportBar;
class WhyPanel;

class MainWindow final : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Reads the file on a thread of its own and opens it, or says why not; what is open stays until then.
    /// decision: where to go instead of the file's own cursor.
    void openFile(const QString& path, std::optional<quint64> decision = {});
    /// Opens a scenario that is already valid; name is what the title says.
    void openScenario(std::shared_ptr<const Scenario> scenario, const QString& name);
    void setTheme(ThemeChoice choice);
    /// Neither reads nor keeps how docks lie and which theme was chosen: for pictures that come out the same
    /// everywhere.
    void forgetLayout();

    [[nodiscard]] RunController& controller() { return *m_controller; }
    [[nodiscard]] Selection& selection() { return *m_selection; }
    [[nodiscard]] ActionRegistry& actionRegistry() { return *m_actions; }

  Q_SIGNALS:
    /// A file was refused; the dialog is open.
    void refused(const picknext::Error& error);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    QMenu* createPopupMenu() override;

  private:
    /// By the window's width: how much is beside each other.
    enum class Span { narrow, medium, wide };

    // main_window_actions.cpp
    void addActions();
    void addFileActions();
    void addRunActions();
    void addViewActions();
    void addBenchActions();
    void addShippedActions();
    void buildMenus();
    void updateActions();
    void updateBenchActions();
    void fillRecent(QMenu* menu);

    // main_window_layout.cpp
    void buildDocks();
    [[nodiscard]] Span spanFor(int width) const;
    void arrange(Span span, bool fresh);
    void arrangeDefault(Span span);
    void sizeDefault(Span span);
    void showTitleBars();
    void saveLayout();
    void resetLayout();
    /// wanted: null for the dock with the focus.
    void toggleMaximised(Dock* wanted);
    void showSection(ScenarioModel::Section section);
    [[nodiscard]] QString layoutKey(Span span) const;

    // main_window_files.cpp
    void chooseFile();
    void chooseSaveFile();
    /// ending: what is written, by BenchPanel::exportTo.
    void chooseBenchFile(const QString& ending);
    void opened(const QString& path, std::shared_ptr<const Scenario> scenario, io::Report report);
    void refuse(const QString& path, const Error& error, io::Report report);
    void showReport();
    void remember(const QString& path);
    [[nodiscard]] static QStringList recentFiles();

    // main_window.cpp
    void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void followDecision(const Snapshot& snapshot, bool loaded);
    void updateQueueTitle();
    void updateStatus();
    void travelTo(const Bookmark& bookmark);
    void goTo(qint64 ns);
    void goToDecision(quint64 number);
    void updateStyle();
    void stepBy(StepUnit unit, Direction direction);
    void goToEnd();
    void selectNeighbour(int by);

    Selection* m_selection;
    RunController* m_controller;
    ActionRegistry* m_actions;
    ScenarioModel* m_scenarioModel;
    std::shared_ptr<const Snapshot> m_snapshot;
    QString m_name; // of what is open
    io::Report m_report;
    std::vector<QThread*> m_loaders;

    TransportBar* m_transport = nullptr;
    HistoryBar* m_history = nullptr;
    QToolBar* m_rail = nullptr;
    ScenarioOverlay* m_overlay = nullptr;
    StartPage* m_startPage = nullptr;
    PaletteDialog* m_palette = nullptr;
    QLabel* m_where = nullptr;
    QLabel* m_level = nullptr; // of detail in the views
    QLabel* m_tasks = nullptr;
    QLabel* m_digest = nullptr;

    ScenarioTree* m_scenarioTree = nullptr;
    MachineView* m_machine = nullptr;
    QueuePanel* m_queue = nullptr;
    TimelineView* m_timeline = nullptr;
    WhyPanel* m_why = nullptr;
    DecisionsPanel* m_decisions = nullptr;
    RunQueuesPanel* m_runQueues = nullptr;
    BenchPanel* m_bench = nullptr;
    Dock* m_scenarioDock = nullptr;
    Dock* m_machineDock = nullptr;
    Dock* m_queueDock = nullptr;
    Dock* m_timelineDock = nullptr;
    Dock* m_whyDock = nullptr;
    Dock* m_decisionsDock = nullptr;
    Dock* m_runQueuesDock = nullptr;
    Dock* m_benchDock = nullptr;
    QList<Dock*> m_docks;
    /// What a dock shows is brought up to date when it is visible, or becomes so.
    struct Feed {
        Dock* dock;
        std::function<void()> update;
        bool stale = false;
    };
    std::vector<Feed> m_feeds;

    ThemeChoice m_theme = ThemeChoice::system;
    std::optional<Span> m_span;
    bool m_arranging = false;
    bool m_remember = true;
    QPointer<Dock> m_maximised;
    QByteArray m_beforeMaximise;
    QString m_styleInForce;
};

} // namespace picknext::ui
