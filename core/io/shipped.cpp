// SPDX-License-Identifier: GPL-3.0-or-later
// Where the program's own files are: installed beside it, else in the source tree it was built from.
#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/ranges.h>

#include "core/base/nearest.hpp"
#include "core/io/document.hpp"

namespace picknext::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".json";

/// The folder that holds topologies/, workloads/, scenarios/ and costs/.
fs::path resources() {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path installed = program.parent_path().parent_path() / "share" / "picknext";
    return fs::is_directory(installed / "scenarios", ignored) ? installed : fs::path(PICKNEXT_RESOURCES);
}

} // namespace

std::vector<std::string> shipped_names(std::string_view kind) {
    std::vector<std::string> out;
    std::error_code problem;
    for (fs::directory_iterator it(resources() / kind, problem), end; !problem && it != end; it.increment(problem))
        if (it->path().extension() == extension) out.push_back(it->path().stem().string());
    std::sort(out.begin(), out.end());
    return out;
}

Result<std::string> shipped_file(std::string_view kind, std::string_view name) {
    const std::vector<std::string> names = shipped_names(kind);
    if (std::find(names.begin(), names.end(), name) != names.end())
        return (resources() / kind / (std::string{name} + std::string{extension})).string();
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{"E-SHIPPED", Place{},
                 fmt::format("no {} named \"{}\" is shipped; there are {}{}", kind, name, fmt::join(names, ", "), did_you_mean(name, known))};
}

} // namespace picknext::io
