// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's tests begin with: a shipped scenario, and settings in a folder of their own.
#pragma once

#include <memory>

#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/io/document.hpp"
#include "ui/main_window.hpp"

namespace picknext::ui {

inline QString scenario_path(const char* name) {
    return QStringLiteral(PICKNEXT_SCENARIOS "/%1.json").arg(QLatin1String(name));
}

inline std::shared_ptr<const Scenario> scenario(const char* name) {
    io::Report report;
    auto read = io::open_any(scenario_path(name).toStdString(), report);
    if (!read) qFatal("%s", read.error().text().c_str());
    return std::make_shared<Scenario>(std::move(*read));
}

/// Settings of tests stay apart from each other and from the user's.
class OwnSettings {
  public:
    OwnSettings() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("picknext-test"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }

  private:
    QTemporaryDir m_folder;
};

inline bool settle(RunController& controller) {
    return QTest::qWaitFor([&] { return !controller.isBusy(); }, 60'000) && (QTest::qWait(40), true);
}

} // namespace picknext::ui
