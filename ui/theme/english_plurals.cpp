// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/english_plurals.hpp"

#include <array>
#include <utility>

namespace picknext::ui {

QString EnglishPlurals::translate(const char*, const char* text, const char*, int n) const {
    if (n != 1) return {};
    static constexpr std::array words{std::pair{"%n tasks", "%n task"},       std::pair{"%n CPUs", "%n CPU"},
                                      std::pair{"%n cores", "%n core"},       std::pair{"%n entities", "%n entity"},
                                      std::pair{"%n patches", "%n patch"},    std::pair{"%n warnings", "%n warning"}};
    QString singular = QString::fromUtf8(text);
    for (const auto& [many, one] : words) singular.replace(QLatin1String(many), QLatin1String(one));
    return singular;
}

} // namespace picknext::ui
