// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files in and out.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/document.hpp"

namespace picknext::io {
namespace {

/// A file descriptor that is closed at the end of its scope.
class Descriptor {
  public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_fd > STDERR_FILENO) ::close(m_fd);
    }
    [[nodiscard]] int get() const { return m_fd; }

  private:
    int m_fd;
};

std::string in_words(int number) { return std::generic_category().message(number); }

Error fault(std::string code, const std::string& path, std::string message) {
    return Error{std::move(code), Place{path, 0, 0, {}}, std::move(message)};
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
    const bool standard = path == "-";
    // Without blocking: a pipe nobody writes to is an empty file, not a program that hangs.
    const Descriptor fd(standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.get() < 0) return fault("E-OPEN", path, fmt::format("cannot be opened: {}", in_words(errno)));
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) return fault("E-OPEN", path, fmt::format("cannot be opened: {}", in_words(errno)));
    if (S_ISDIR(info.st_mode)) return fault("E-DIRECTORY", path, "is a folder; name a file in it");
    const auto too_large = [&] { return fault("E-SIZE", path, fmt::format("is larger than the {} MiB that are read", limit >> 20)); };
    if (S_ISREG(info.st_mode) && static_cast<std::uint64_t>(info.st_size) > limit) return too_large();
    std::string text;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fault("E-OPEN", path, fmt::format("cannot be read: {}", in_words(errno)));
        if (got == 0) break;
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > limit) return too_large();
    }
    if (text.empty()) return fault("E-EMPTY", path, "is empty");
    return text;
}

namespace {

/// Beside the file, then renamed over it: the old or the new one is whole. path: what the user called it.
Result<bool> replace_file(const std::string& path, const std::string& file, std::string_view text) {
    std::string beside = file + ".XXXXXX";
    const Descriptor fd(::mkstemp(beside.data()));
    if (fd.get() < 0) return fault("E-WRITE", path, fmt::format("cannot be written: {}", in_words(errno)));
    struct stat info {};
    const bool exists = ::stat(file.c_str(), &info) == 0;
    const mode_t mode = exists ? (info.st_mode & 07777) : 0644;
    if (::fchmod(fd.get(), mode) != 0 || !write_all(fd.get(), text) || ::fsync(fd.get()) != 0 || std::rename(beside.c_str(), file.c_str()) != 0) {
        const int why = errno;
        ::unlink(beside.c_str());
        return fault("E-WRITE", path, fmt::format("cannot be written: {}", in_words(why)));
    }
    return true;
}

} // namespace

Result<bool> write_file(const std::string& path, std::string_view text) {
    if (path == "-") {
        if (write_all(STDOUT_FILENO, text)) return true;
        return fault("E-WRITE", path, fmt::format("cannot be written: {}", in_words(errno)));
    }
    struct stat target {};
    if (::stat(path.c_str(), &target) == 0 && !S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode)) {
        const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC)); // a device or pipe is written to, not replaced
        if (device.get() >= 0 && write_all(device.get(), text)) return true;
        return fault("E-WRITE", path, fmt::format("cannot be written: {}", in_words(errno)));
    }
    std::error_code unresolved; // a link stays, the file it names is replaced
    const std::string file = std::filesystem::weakly_canonical(path, unresolved).string();
    return replace_file(path, unresolved ? path : file, text);
}

} // namespace picknext::io
