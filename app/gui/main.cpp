// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program: arguments, then the event loop.
#include <cstdio>
#include <optional>

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QRegularExpression>
#include <QStyleFactory>
#include <QTimer>

#include "ui/main_window.hpp"
#include "ui/theme/english_plurals.hpp"

namespace {

using picknext::ui::MainWindow;
using picknext::ui::ThemeChoice;

enum ExitCode { ok = 0, failed = 1, refused_input = 2 };

void say(const QString& sentence) {
    std::fputs((sentence + QLatin1Char('\n')).toLocal8Bit().constData(), stderr);
}

struct Arguments {
    QString file;
    QString screenshot;
    QSize size;
    std::optional<ThemeChoice> theme;
    std::optional<quint64> decision;
};

/// Reads the command line; nothing when it is wrong (said on stderr).
std::optional<Arguments> read_arguments(const QApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate(
        "main", "Watch, step and question the decisions of the Linux fair scheduler."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("file"),
        QApplication::translate(
            "main",
            "Scenario, workload, rt-app file or topology to open, or the name of a shipped scenario."),
        QStringLiteral("[file]"));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        QApplication::translate("main", "Save a picture of the window as <png> and quit."),
        QStringLiteral("png"));
    const QCommandLineOption size(QStringLiteral("size"),
                                  QApplication::translate("main", "Size of the window, as <WxH>."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption theme(QStringLiteral("theme"),
                                   QApplication::translate("main", "light, dark or system."),
                                   QStringLiteral("theme"));
    const QCommandLineOption decision(
        QStringLiteral("decision"),
        QApplication::translate("main", "Go to decision <number>; 0 is the start."),
        QStringLiteral("number"));
    parser.addOptions({screenshot, size, theme, decision});
    parser.process(app);

    Arguments out;
    if (parser.positionalArguments().size() > 1) {
        say(QApplication::translate("main", "One file at a time: %1 names were given.")
                .arg(parser.positionalArguments().size()));
        return {};
    }
    out.file = parser.positionalArguments().value(0);
    out.screenshot = parser.value(screenshot);
    if (parser.isSet(size)) {
        static const QRegularExpression form(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
        const QRegularExpressionMatch m = form.match(parser.value(size));
        if (!m.hasMatch()) {
            say(QApplication::translate("main", "--size %1: write it as 1280x800.").arg(parser.value(size)));
            return {};
        }
        out.size = QSize(m.captured(1).toInt(), m.captured(2).toInt());
    }
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        if (name == QLatin1String("light"))
            out.theme = ThemeChoice::light;
        else if (name == QLatin1String("dark"))
            out.theme = ThemeChoice::dark;
        else if (name == QLatin1String("system"))
            out.theme = ThemeChoice::system;
        else {
            say(QApplication::translate("main", "--theme %1: one of light, dark, system.").arg(name));
            return {};
        }
    }
    if (parser.isSet(decision)) {
        bool number = false;
        out.decision = parser.value(decision).toULongLong(&number);
        if (!number) {
            say(QApplication::translate("main", "--decision %1: a whole number is wanted, 0 or more.")
                    .arg(parser.value(decision)));
            return {};
        }
    }
    return out;
}

/// Saves the window once the moment asked for has been painted, then ends the program.
void take_picture(MainWindow& window, const QString& path) {
    const auto shoot = [&window, path] {
        // One turn for layouts, one for what they asked to be painted.
        QTimer::singleShot(50, &window, [&window, path] {
            const bool saved = window.grab().save(path);
            if (!saved) say(QApplication::translate("main", "%1 was not written.").arg(path));
            QApplication::exit(saved ? ok : failed);
        });
    };
    QObject::connect(&window.controller(), &picknext::ui::RunController::settled, &window, shoot);
    QObject::connect(&window, &MainWindow::refused, &window, [](const picknext::Error& error) {
        say(QString::fromStdString(error.text()));
        QApplication::exit(refused_input);
    });
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    picknext::ui::EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    QApplication::setApplicationName(QStringLiteral("picknext"));
    QApplication::setOrganizationName(QStringLiteral("picknext"));
    QApplication::setApplicationVersion(QStringLiteral(PICKNEXT_VERSION));
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const std::optional<Arguments> arguments = read_arguments(app);
    if (!arguments) return refused_input;

    MainWindow window;
    if (!arguments->screenshot.isEmpty()) window.forgetLayout();
    if (arguments->theme) window.setTheme(*arguments->theme);
    if (arguments->size.isValid()) window.resize(arguments->size);
    if (!arguments->screenshot.isEmpty()) {
        take_picture(window, arguments->screenshot);
    }
    window.show();
    QString file = arguments->file;
    // A file, or the name of a shipped scenario; without either the default one, so that there is something
    // to see.
    if (file.isEmpty() || !QFile::exists(file))
        if (const auto shipped =
                picknext::io::shipped_file("scenarios", file.isEmpty() ? "default" : file.toStdString()))
            file = QString::fromStdString(*shipped);
    if (!file.isEmpty()) window.openFile(file, arguments->decision);
    return QApplication::exec();
}
