// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, for all views at once: selecting in one selects in all.
#pragma once

#include <QObject>

#include "core/base/ids.hpp"

namespace picknext::ui {

class Selection final : public QObject {
    Q_OBJECT
  public:
    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}
    [[nodiscard]] CpuId cpu() const { return m_cpu; }
    [[nodiscard]] TaskId task() const { return m_task; }
    /// Row of the Why panel, -1 = none.
    [[nodiscard]] int check() const { return m_check; }
    void setCpu(CpuId cpu) {
        if (cpu == m_cpu) return;
        m_cpu = cpu;
        Q_EMIT changed();
    }
    void setTask(TaskId task) {
        if (task == m_task) return;
        m_task = task;
        Q_EMIT changed();
    }
    void setCheck(int check) {
        if (check == m_check) return;
        m_check = check;
        Q_EMIT changed();
    }

  Q_SIGNALS:
    void changed();

  private:
    CpuId m_cpu{0};
    TaskId m_task;
    int m_check = -1;
};

} // namespace picknext::ui
