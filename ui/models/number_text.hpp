// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them in every view. Groups of three are set apart by U+202F, the minus is U+2212.
#pragma once

#include <cstdint>

#include <QString>

namespace picknext::ui {

/// Wall time in ms, "84.001500": six decimals, for columns.
[[nodiscard]] QString msColumn(std::int64_t ns);
/// Wall time in ms, "84.001 500", for fields and sentences.
[[nodiscard]] QString msGrouped(std::int64_t ns);
/// A length of time with its unit, "3.0 ms", "500 µs", "250 ns".
[[nodiscard]] QString duration(std::int64_t ns);
/// "9 825 907".
[[nodiscard]] QString groupedNumber(std::int64_t value);
/// The same without separators and with an ASCII minus: for the clipboard.
[[nodiscard]] QString plain(QString text);
/// Reads what a person types for a time: "84.0015", "84.001 500 ms", "12us", "3s", "500ns"; bare numbers are
/// ms.
[[nodiscard]] bool parseTime(const QString& text, std::int64_t* ns);

} // namespace picknext::ui
