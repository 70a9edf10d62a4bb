// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/numbers.hpp"

#include "core/explain/explain.hpp"

namespace picknext::ui {

QString ms_text(std::int64_t ns, int decimals) { return from_utf8(picknext::ms_text(ns, decimals)); }

QString grouped(std::int64_t value) { return from_utf8(picknext::grouped(value)); }

QString moment_text(std::int64_t ns, std::int64_t step_ns) {
    int decimals = 0;
    for (std::int64_t unit = 1'000'000; unit > step_ns && decimals < 6; unit /= 10) ++decimals;
    const QString signed_text = ms_text(ns, decimals);
    return (signed_text.startsWith(QLatin1Char('+')) ? signed_text.mid(1) : signed_text) + QStringLiteral(" ms");
}

} // namespace picknext::ui
