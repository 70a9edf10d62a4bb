// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_style.hpp"

#include <QBuffer>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

// The pictures are in a static library: somebody has to ask for them, outside any namespace.
static void load_icons() { Q_INIT_RESOURCE(icons); }

namespace picknext::ui {

QPalette paletteFor(ThemeChoice choice) {
    if (choice == ThemeChoice::system) return {};
    const bool dark = choice == ThemeChoice::dark;
    const QColor win = dark ? QColor(0x2A, 0x2E, 0x34) : QColor(0xEC, 0xEE, 0xF1);
    const QColor base = dark ? QColor(0x1E, 0x21, 0x26) : QColor(0xFF, 0xFF, 0xFF);
    const QColor alt = dark ? QColor(0x24, 0x28, 0x2D) : QColor(0xF5, 0xF6, 0xF8);
    const QColor text = dark ? QColor(0xE6, 0xE8, 0xEB) : QColor(0x1B, 0x1E, 0x23);
    const QColor ctl = dark ? QColor(0x7C, 0x84, 0x90) : QColor(0x7E, 0x85, 0x90);
    const QColor mut = dark ? QColor(0xA9, 0xB0, 0xBA) : QColor(0x56, 0x5D, 0x68);
    const QColor acc = dark ? QColor(0xA9, 0xA4, 0xFF) : QColor(0x4B, 0x45, 0xC6);
    QPalette p(text, win, win.lighter(115), win.darker(140), ctl, text, dark ? Qt::black : Qt::white, base,
               win);
    p.setColor(QPalette::AlternateBase, alt);
    p.setColor(QPalette::Button, win);
    p.setColor(QPalette::Highlight, acc);
    p.setColor(QPalette::HighlightedText, dark ? QColor(0x1E, 0x21, 0x26) : QColor(Qt::white));
    p.setColor(QPalette::Link, acc);
    p.setColor(QPalette::LinkVisited, acc);
    p.setColor(QPalette::ToolTipBase, base);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::PlaceholderText, mut);
    for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, ctl);
    return p;
}

QString frameStyle(const Theme& t) {
    QString sheet = QString::fromLatin1(R"(
QMainWindow, QToolBar, QMenuBar, QStatusBar, QDialog { background: @win; color: @text; }
QMainWindow::separator { background: @win; width: 4px; height: 4px; }
QMenuBar { border-bottom: 1px solid @line; }
QMenuBar::item { padding: 4px 8px; background: transparent; }
QMenuBar::item:selected { background: @accbg; }
QMenu { background: @base; color: @text; border: 1px solid @text; padding: 2px; }
QMenu::item { padding: 4px 24px 4px 24px; }
QMenu::item:selected { background: @accbg; color: @text; }
QMenu::item:disabled { color: @ctl; }
QMenu::separator { height: 1px; background: @line; margin: 2px 0; }
QToolBar { border: none; spacing: 6px; padding: 5px 6px; }
QToolBar#transport { border-bottom: 1px solid @line; }
QToolBar#history { border-top: 1px solid @line; padding: 0; }
QToolBar#rail { padding: 0; border-right: 1px solid @line; spacing: 0; }
QToolBar::separator { background: @line; width: 1px; margin: 4px 3px; }
QToolButton, QPushButton { background: @base; color: @text; border: 1px solid @ctl; border-radius: 3px; padding: 2px 8px; min-height: 18px; }
QToolButton:hover, QPushButton:hover { border: 1px solid @text; }
QToolButton:pressed, QPushButton:pressed { background: @accbg; }
QToolButton:focus, QPushButton:focus, QLineEdit:focus { border: 2px solid @acc; padding: 1px 7px; }
QToolButton:disabled, QPushButton:disabled { color: @ctl; background: @win; }
QToolButton[primary="true"], QPushButton:default { border: 1px solid @acc; background: @accbg; }
QToolButton:checked { background: @accbg; border: 1px solid @acc; }
QToolButton::menu-indicator { image: none; }
QToolButton[link="true"] { background: transparent; border: none; padding: 0 2px; min-height: 0; text-decoration: underline; color: @mut; }
QToolButton[link="true"]:hover { color: @text; }
QToolButton[link="true"]:focus { border: 1px solid @acc; padding: 0 1px; }
QToolButton[link="true"]:disabled { color: @ctl; background: transparent; }
QLineEdit { background: @base; color: @text; border: 1px solid @ctl; border-radius: 3px; padding: 2px 8px; min-height: 18px;
  selection-background-color: @acc; selection-color: @base; }
QPlainTextEdit, QTextBrowser { background: @base; color: @text; border: 1px solid @line; }
QAbstractItemView { background: @base; alternate-background-color: @alt; color: @text; border: none; outline: none;
  selection-background-color: @accbg; selection-color: @text; }
QAbstractScrollArea::corner { background: @win; border: none; }
QHeaderView { background: @win; border: none; }
QHeaderView::section { background: @win; color: @mut; border: none; border-right: 1px solid @line; border-bottom: 1px solid @line; padding: 3px 6px; }
QTableView QTableCornerButton::section { background: @win; border: none; }
QTabBar { background: @win; }
QTabBar::tab { background: @win; color: @mut; border: none; border-right: 1px solid transparent; padding: 5px 12px; min-height: 16px; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { background: @base; color: @text; border-top: 2px solid @acc; padding-top: 3px; font-weight: 600; }
QTabBar::tab:focus { color: @text; text-decoration: underline; }
QStatusBar { border-top: 1px solid @line; color: @mut; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @mut; padding: 1px 8px; }
QDockWidget { color: @text; }
QScrollArea, QScrollArea > QWidget > QWidget#paper, QWidget#paper { background: @base; border: none; }
QLabel { background: transparent; color: @text; }
QLabel[rank="2"] { color: @mut; }
QLabel[wrong="true"] { color: @err; font-weight: 600; }
QFrame#strip { background: @base; border-top: 1px solid @line; }
QFrame#wrongStrip { background: @errbg; border-bottom: 1px solid @err; }
QFrame#overlay, QDialog#palette { background: @base; border: 1px solid @text; }
QProgressBar { background: @base; border: 1px solid @ctl; border-radius: 2px; height: 10px; }
QProgressBar::chunk { background: @acc; }
QToolTip { background: @base; color: @text; border: 1px solid @text; padding: 2px; }
QScrollBar:vertical { background: @win; width: 12px; margin: 0; }
QScrollBar:horizontal { background: @win; height: 12px; margin: 0; }
QScrollBar::handle { background: @ctl; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @mut; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)");
    const std::pair<const char*, QColor> tokens[] = {
        {"@accbg", t.accbg}, {"@acc", t.acc},   {"@errbg", t.errbg}, {"@err", t.err},
        {"@base", t.base},   {"@alt", t.alt},   {"@win", t.win},     {"@text", t.text},
        {"@mut", t.mut},     {"@line", t.line}, {"@ctl", t.ctl}};
    for (const auto& [token, colour] : tokens)
        sheet.replace(QLatin1String(token), colour.name());
    return sheet;
}

namespace {
/// Paints an SVG whose ink is black in the palette's text colour, at whatever size and pixel ratio is asked.
class InkIcon final : public QIconEngine {
  public:
    explicit InkIcon(QByteArray svg) : m_svg(std::move(svg)) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QGuiApplication::palette();
        const QColor ink = palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active,
                                         QPalette::WindowText);
        QByteArray svg = m_svg;
        svg.replace("#000", ink.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap image(size);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return image;
    }
    QIconEngine* clone() const override { return new InkIcon(m_svg); }

  private:
    QByteArray m_svg;
};
} // namespace

QIcon icon(const QString& name) {
    load_icons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (name.isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new InkIcon(file.readAll()));
}

QString chipHtml(const QColor& fill, const QColor& edge, int size, qreal ratio) {
    QImage image(QSize(size, size) * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(edge);
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(0.5, 0.5, size - 1, size - 1), 2, 2);
    }
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return QStringLiteral("<img width=%1 height=%1 src=\"data:image/png;base64,%2\">")
        .arg(size)
        .arg(QString::fromLatin1(png.toBase64()));
}

} // namespace picknext::ui
