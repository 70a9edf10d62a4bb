// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark is made of, as fields: a thread's measurement or a typed command, machine, costs, kernel, arms, sweep, seeds.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/run/bench_runner.hpp"

class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace picknext::ui {

class FlatCombo;

class BenchForm final : public QWidget {
    Q_OBJECT
  public:
    explicit BenchForm(QWidget* parent = nullptr);

    void setEntries(std::vector<BenchEntry> entries);
    [[nodiscard]] BenchChoice choice() const;
    /// What is special about the measurement chosen; empty for a typed command.
    [[nodiscard]] QString note() const;
    /// Puts the cursor where the error is.
    void point(const Error& error);
    /// The part of the form an error is about, in words.
    [[nodiscard]] QString part(const Error& error) const;

    /// The two that stand in the bar above the rest.
    [[nodiscard]] FlatCombo* source() const { return m_source; }
    [[nodiscard]] QLineEdit* command() const { return m_command; }

  Q_SIGNALS:
    void changed();
    void runAsked();

  private:
    void chooseSource(int index);
    /// A field of a measurement was edited: from here on it is a typed command.
    void edited();
    void fill(const bench::Request& request);
    void addField(const QString& label, QWidget* field, QWidget* more = nullptr);
    QLineEdit* edit(const char* name, const QString& accessible, const QString& hint, int digits);
    QToolButton* changesMenu(QLineEdit* target, const QString& accessible);
    FlatCombo* combo(const char* name, const QString& accessible, const QStringList& items, const QString& first);

    std::vector<BenchEntry> m_entries;
    FlatCombo* m_source;
    QLineEdit* m_command;
    FlatCombo* m_machine;
    FlatCombo* m_costs;
    FlatCombo* m_kernel;
    QLineEdit* m_a;
    QToolButton* m_two;
    QLineEdit* m_b;
    QLineEdit* m_sweep;
    QLineEdit* m_seeds;
    QLineEdit* m_scale;
    QWidget* m_scaleField = nullptr;
    QToolButton* m_full;
    bool m_filling = false;
};

} // namespace picknext::ui
