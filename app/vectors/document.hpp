// SPDX-License-Identifier: GPL-3.0-or-later
// Vector files on disk: plain, compressed (.gz, .xz), or several in one archive.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace picknext::vectors {

struct Document {
    std::string name; // file name, or archive:member
    std::string text;
};

/// The documents of a file: one, or the members of an archive in its order. The error names the file.
[[nodiscard]] Result<std::vector<Document>> read_documents(const std::string& path);

} // namespace picknext::vectors
