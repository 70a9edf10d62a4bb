// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-vectors: compares recorded behaviour of kernel routines with what this engine does, to the last number.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/vectors/check_file.hpp"
#include "app/vectors/document.hpp"

namespace {

using namespace picknext;

constexpr std::string_view usage =
    "usage: picknext-vectors [--each] FILE...\n"
    "Checks reference vectors (.json, also .gz, .xz and tar archives of them) against the engine.\n"
    "  --each  show the first difference of every trace or case, not only of every file\n"
    "Exit: 0 all passed, 1 something differs, 2 a file cannot be read or is of no known format.\n";

struct Totals {
    int passed = 0, failed = 0, unusable = 0;
};

void check(const vectors::Document& document, bool each, Totals& totals) {
    const auto result = vectors::check_text(document.name, document.text);
    if (!result) {
        ++totals.unusable;
        fmt::print("{}\n", result.error().text());
        return;
    }
    const auto& wrong = result->wrong();
    ++(wrong.empty() ? totals.passed : totals.failed);
    fmt::print("{}: {} checked, {} wrong\n", document.name, result->checked(), wrong.size());
    const std::size_t shown = each ? wrong.size() : std::min<std::size_t>(wrong.size(), 1);
    for (std::size_t i = 0; i < shown; ++i) fmt::print("  {}\n", wrong[i]);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> files(argv + 1, argv + argc);
    const bool each = std::erase(files, "--each") > 0;
    if (files.empty() || files.front() == "--help") {
        fmt::print("{}", usage);
        return files.empty() ? 2 : 0;
    }
    Totals totals;
    for (const std::string& path : files) {
        const auto documents = vectors::read_documents(path);
        if (!documents) {
            ++totals.unusable;
            fmt::print("{}\n", documents.error().text());
            continue;
        }
        for (const vectors::Document& d : *documents) check(d, each, totals);
        std::fflush(stdout);
    }
    fmt::print("{} passed, {} failed\n", totals.passed, totals.failed + totals.unusable);
    return totals.unusable > 0 ? 2 : totals.failed > 0 ? 1 : 0;
}
