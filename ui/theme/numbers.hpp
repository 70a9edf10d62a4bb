// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the core writes them, for painting.
#pragma once

#include <cstdint>
#include <string>

#include <QString>

namespace picknext::ui {

[[nodiscard]] inline QString from_utf8(const std::string& s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
/// Signed milliseconds: "+2.385", "−0.955".
[[nodiscard]] QString ms_text(std::int64_t ns, int decimals = 3);
/// Groups of three: "9 825 907".
[[nodiscard]] QString grouped(std::int64_t value);
/// A moment on a time axis with as many decimals as the step needs: "84.5 ms".
[[nodiscard]] QString moment_text(std::int64_t ns, std::int64_t step_ns);

} // namespace picknext::ui
