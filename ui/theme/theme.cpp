// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QWidget>

namespace picknext::ui {
namespace {

constexpr std::array<QRgb, 19> task_fills{
    // Okabe-Ito, then hues of equal lightness and chroma
    0xffE69F00, 0xff56B4E9, 0xff009E73, 0xffF0E442, 0xff0072B2, 0xffD55E00, 0xffCC79A7, 0xff8A8F48, 0xff8A7EBE, 0xffB77853,
    0xff2E9B9B, 0xffBC7171, 0xff6D88C3, 0xff6A9760, 0xffB57191, 0xffA78241, 0xff3D95B4, 0xffA376AD, 0xff4A9B7B};

double luminance(const QColor& c) {
    const auto channel = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

/// The colour, moved towards `text` until it stands out from `ground` by the ratio.
QColor readable(QColor colour, const QColor& ground, const QColor& text, double ratio) {
    for (int i = 0; i < 10 && contrast(colour, ground) < ratio; ++i) colour = blend(text, colour, 0.2);
    return colour;
}

void set_light(Theme& t) {
    t.win = 0xffECEEF1; t.base = 0xffFFFFFF; t.alt = 0xffF5F6F8; t.text = 0xff1B1E23; t.mut = 0xff565D68;
    t.acc = 0xff4B45C6; t.accbg = 0xffE7E6F8; t.err = 0xffB3261E; t.errbg = 0xffFBE9E7; t.red = 0xffC62828;
    t.ctl = 0xff7E8590; t.line = 0xffC4C9D0; t.hat = 0xff8A919C; t.arm_a = 0xff4A5260;
    t.faded = {QColor(0xffD9DEE6), QColor(0xffC9D3DF), QColor(0xffE3DFD6), QColor(0xffD3DDD6)};
}

void set_dark(Theme& t) {
    t.win = 0xff2A2E34; t.base = 0xff1E2126; t.alt = 0xff24282D; t.text = 0xffE6E8EB; t.mut = 0xffA9B0BA;
    t.acc = 0xffA9A4FF; t.accbg = 0xff34335A; t.err = 0xffFF8A80; t.errbg = 0xff4A2A2A; t.red = 0xffFF8A80;
    t.ctl = 0xff7C8490; t.line = 0xff434951; t.hat = 0xff7C8490; t.arm_a = 0xffB4BCC8;
    t.faded = {QColor(0xff434B57), QColor(0xff3B4A59), QColor(0xff4E4A40), QColor(0xff3F4D44)};
}

void follow_desktop(Theme& t, const QPalette& p) {
    const QColor base = p.color(QPalette::Active, QPalette::Base), text = p.color(QPalette::Active, QPalette::Text);
    const QColor win = p.color(QPalette::Active, QPalette::Window);
    if (contrast(text, base) >= 4.5 && contrast(text, win) >= 4.5) {
        t.base = base;
        t.text = text;
        t.win = win;
        t.alt = blend(win, base, 0.5);
        for (QColor* c : {&t.mut, &t.err, &t.acc}) *c = readable(readable(*c, win, text, 4.5), base, text, 4.5);
        for (QColor* c : {&t.ctl, &t.hat, &t.red, &t.arm_a}) *c = readable(*c, base, text, 3.0);
    }
    const QColor acc = p.color(QPalette::Active, QPalette::Highlight);
    if (contrast(acc, t.base) >= 4.5 && contrast(acc, t.win) >= 3.0) {
        t.acc = acc;
        t.accbg = blend(acc, t.base, t.dark ? 0.28 : 0.13);
    }
    // Black on white alone is what many ordinary themes have; desktops made for contrast paint windows so too.
    t.high_contrast = contrast(t.text, t.base) >= 18 && t.win == t.base;
    if (t.high_contrast) {
        t.faded.fill(t.base);
        t.ctl = t.line = t.text;
    }
}

QFont scaled(const QFont& font, double body_px, double factor, QFont::Weight weight) {
    QFont f = font;
    f.setPixelSize(std::max({11, static_cast<int>(std::lround(body_px * factor)), static_cast<int>(std::ceil(body_px * 0.85))}));
    f.setWeight(weight);
    return f;
}

void set_fonts(Theme& t, const QFont& font) {
    const double px = std::max(11, QFontInfo(font).pixelSize());
    const QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    t.body = scaled(font, px, 1, QFont::Normal);
    t.strong = scaled(font, px, 1, QFont::DemiBold);
    t.small = scaled(font, px, 0.92, QFont::Normal);
    t.small_strong = scaled(font, px, 0.92, QFont::DemiBold);
    t.title = scaled(font, px, 1.15, QFont::DemiBold);
    t.question = scaled(font, px, 1.4, QFont::DemiBold);
    t.fixed = scaled(mono, px, 0.88, QFont::Normal);
    t.fixed_strong = scaled(mono, px, 0.88, QFont::DemiBold);
    t.unit = px / 12.0;
}

} // namespace

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](double x, double y) { return static_cast<float>(x * share + y * (1 - share)); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

QColor task_colour(std::size_t task) { return QColor::fromRgb(task_fills[task % task_fills.size()]); }

QColor ink_on(const QColor& fill) {
    return contrast(fill, Qt::black) >= 5.3 || contrast(fill, Qt::black) >= contrast(fill, Qt::white) ? QColor(Qt::black)
                                                                                                      : QColor(Qt::white);
}

Theme Theme::from(const QPalette& palette, const QFont& font) {
    Theme t;
    t.dark = luminance(palette.color(QPalette::Active, QPalette::Base)) < luminance(palette.color(QPalette::Active, QPalette::Text));
    t.dark ? set_dark(t) : set_light(t);
    follow_desktop(t, palette);
    set_fonts(t, font);
    return t;
}

Theme Theme::of(const QWidget& widget) { return from(widget.palette(), widget.font()); }

} // namespace picknext::ui
