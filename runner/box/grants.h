// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// The files and the memory that a boxed process may still use.
struct BoxGrants {
    std::vector<std::filesystem::path> readable = {}; // files, and folders with their contents
    // Files that it may have written by the process outside, which writes them as a whole.
    std::vector<std::filesystem::path> writable = {};
    std::string writablePrefix = {}; // files whose path begins so are writable; empty: none
    bool allFiles = false;           // it may read and write whatever the user may
    std::uint64_t memory = 0;        // bytes beyond those that it has at the start; 0: no limit
};

// Makes the folder of a model, with its checkpoint and assets, readable: under the given path, and
// under the one without symbolic links. A model without a folder ("-") has the current one.
void grantModel(const std::filesystem::path& model, BoxGrants& grants);

} // namespace lapidary
