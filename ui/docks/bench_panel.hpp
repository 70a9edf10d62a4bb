// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks: what is run, how far it is, plots and tables of what came of it.
#pragma once

#include <memory>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "ui/run/bench_runner.hpp"

class QFrame;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTabWidget;

namespace picknext::ui {

class ActionRegistry;
class BenchForm;
class ChartView;
class ElidedLabel;
class SheetModel;
class TsvTable;

class BenchPanel final : public QWidget {
    Q_OBJECT
  public:
    /// The actions bench.* must be there.
    explicit BenchPanel(const ActionRegistry& actions, QWidget* parent = nullptr);

    void run();
    void cancel();
    /// Goes to the slowest moment of the chosen point; ends in momentFound().
    void openSlowest();
    /// png, svg, pdf: the chosen plot; csv: every figure of every run; json: results/1. False: the sentence stands in the panel.
    bool exportTo(const QString& path);
    /// A name without ending for what would be written.
    [[nodiscard]] QString exportName(const QString& ending) const;

    [[nodiscard]] const BenchRunner& runner() const { return *m_runner; }
    [[nodiscard]] bool hasResults() const;
    [[nodiscard]] bool hasPlot() const { return m_chosen >= 0; }

  Q_SIGNALS:
    /// What can be done has changed.
    void stateChanged();
    void momentFound(std::shared_ptr<const picknext::Scenario> scenario);

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build(const ActionRegistry& actions);
    QWidget* buildBar(const ActionRegistry& actions);
    QWidget* buildProgress(const ActionRegistry& actions);
    TsvTable* addTable(SheetModel* model, const QString& title, const char* name);
    void refuse(const QString& sentence);
    void showProgress();
    void updateResults();
    void updatePlots();
    void updateTables();
    void arrangePlots();
    void choosePlot(int index);
    void chooseCell(int cell);

    BenchRunner* m_runner;
    BenchForm* m_form;
    QFrame* m_wrong;
    QLabel* m_wrongText;
    QWidget* m_progress;
    QProgressBar* m_bar;
    ElidedLabel* m_progressText;
    QPushButton* m_runButton = nullptr;
    QPushButton* m_cancelButton = nullptr;
    QScrollArea* m_scroll;
    QLabel* m_headline;
    ElidedLabel* m_basis;
    QLabel* m_empty;
    QGridLayout* m_grid;
    std::vector<ChartView*> m_charts;
    int m_shown = 0;   // charts with something to show
    int m_chosen = -1; // among these
    QTabWidget* m_tabs;
    SheetModel* m_results;
    SheetModel* m_counted;
    SheetModel* m_constants;
    std::vector<TsvTable*> m_tables;
    QLabel* m_note;
    std::size_t m_cell = 0;
    bool m_cellChosen = false; // else the last point
    bool m_listed = false;
    bool m_seeking = false;    // for the slowest moment
    QString m_said;            // how the last run ended
    QTimer m_redraw;
};

} // namespace picknext::ui
