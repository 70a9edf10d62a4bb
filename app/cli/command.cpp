// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

namespace picknext::cli {

void complain(const Error& error) { fmt::print(stderr, "{}\n", error.text()); }

bool accept_report(const io::Report& report, bool strict) {
    bool accepted = true;
    for (const io::Message& m : report) {
        fmt::print(stderr, "{}\n", m.line());
        if (m.severity == io::Severity::error || (strict && m.severity == io::Severity::warning)) accepted = false;
    }
    return accepted;
}

Exit finish_output(Exit exit) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit;
    fmt::print(stderr, "standard output was not written whole: {}\n", std::generic_category().message(errno));
    return Exit::failed;
}

} // namespace picknext::cli
