// SPDX-License-Identifier: GPL-3.0-or-later
// Singular forms of the English texts that count something: tr("%n tasks", nullptr, 1) is "1 task".
#pragma once

#include <QTranslator>

namespace picknext::ui {

/// Install it on the application; a real translation is installed after it and wins.
class EnglishPlurals final : public QTranslator {
  public:
    using QTranslator::QTranslator;
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char* disambiguation, int n) const override;
};

} // namespace picknext::ui
