// SPDX-License-Identifier: GPL-3.0-or-later
// A writer killed at any moment leaves the old file or the new one, whole.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/rng.hpp"
#include "core/io/document.hpp"

namespace {

using namespace picknext;

constexpr std::size_t size = 200'000; // many writes to a disk

std::string version(char letter) { return std::string(size, letter) + "\n"; }

/// Writes the file over and over until it is killed.
[[noreturn]] void write_for_ever(const std::string& path) {
    for (char letter = 'b';; letter = letter == 'z' ? 'b' : static_cast<char>(letter + 1))
        if (!io::write_file(path, version(letter))) std::_Exit(1);
}

bool is_whole(const std::string& text) { return text.size() == size + 1 && text == version(text.front()); }

} // namespace

int main() {
    std::string folder = (std::filesystem::temp_directory_path() / "picknext-save-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
    const std::string path = folder + "/packet.json";
    int wrong = io::write_file(path, version('a')) ? 0 : 1, renewed = 0;
    for (std::uint64_t round = 0; round < 150 && wrong == 0; ++round) {
        const Result<std::string> before = io::read_file(path);
        const pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) write_for_ever(path);
        usleep(static_cast<useconds_t>(200 + random_below(1, 0, round, 8000)));
        kill(child, SIGKILL);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        if (!WIFSIGNALED(status)) {
            fmt::print(stderr, "the writer ended by itself: status {}\n", status);
            wrong = 1;
        }
        const Result<std::string> after = io::read_file(path);
        if (!before || !after || !is_whole(*after)) {
            fmt::print(stderr, "round {}: {}\n", round, after ? fmt::format("{} bytes, \"{}...\"", after->size(), after->substr(0, 8)) : after.error().text());
            wrong = 1;
        } else {
            renewed += *before == *after ? 0 : 1;
        }
    }
    fmt::print("150 writers killed: {} left another version than they found, none a broken one\n", renewed);
    if (renewed == 0) wrong = 1; // then nothing was tried
    std::filesystem::remove_all(folder);
    return wrong;
}
