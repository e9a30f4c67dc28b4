// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

struct FileDigest {
    std::string name;   // relative to the requested path; empty if that path is the file itself
    std::string sha256; // as sha256sum prints it

    bool operator==(const FileDigest&) const = default;
};

Result<std::string> fileSha256(const std::filesystem::path& path, const Job& job);
// Returns the digest of a file, or of every file in a folder, such as a SavedModel, sorted by name.
Result<std::vector<FileDigest>> fileDigests(const std::filesystem::path& path, const Job& job);

} // namespace lapidary
