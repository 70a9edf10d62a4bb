// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/document.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

namespace picknext::vectors {

namespace {

struct CloseArchive {
    void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, CloseArchive>;

Error failure(const std::string& path, const char* what) {
    return Error{"E-READ", Place{.file = path, .pointer = {}}, fmt::format("cannot be read: {}", what != nullptr ? what : "unknown reason")};
}

Archive make_reader() {
    Archive a(archive_read_new());
    archive_read_support_filter_gzip(a.get());
    archive_read_support_filter_xz(a.get());
    archive_read_support_format_tar(a.get());
    archive_read_support_format_raw(a.get()); // a file that is no archive
    archive_read_support_format_empty(a.get());
    return a;
}

} // namespace

Result<std::vector<Document>> read_documents(const std::string& path) {
    constexpr std::size_t block = 1U << 16U;
    const Archive a = make_reader();
    if (archive_read_open_filename(a.get(), path.c_str(), block) != ARCHIVE_OK) return failure(path, archive_error_string(a.get()));
    const std::string name = std::filesystem::path(path).filename().string();
    std::vector<Document> out;
    archive_entry* entry = nullptr;
    int rc = ARCHIVE_OK;
    while ((rc = archive_read_next_header(a.get(), &entry)) == ARCHIVE_OK) {
        const bool plain = archive_format(a.get()) == ARCHIVE_FORMAT_RAW;
        if (!plain && archive_entry_filetype(entry) != AE_IFREG) continue;
        Document& d = out.emplace_back();
        d.name = plain ? name : fmt::format("{}:{}", name, std::filesystem::path(archive_entry_pathname(entry)).filename().string());
        std::array<char, block> buffer{};
        la_ssize_t n = 0;
        while ((n = archive_read_data(a.get(), buffer.data(), buffer.size())) > 0) d.text.append(buffer.data(), static_cast<std::size_t>(n));
        if (n < 0) return failure(path, archive_error_string(a.get()));
    }
    if (rc != ARCHIVE_EOF) return failure(path, archive_error_string(a.get()));
    if (out.empty()) return failure(path, "it is empty");
    return out;
}

} // namespace picknext::vectors
