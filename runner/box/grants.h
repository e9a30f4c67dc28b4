// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// Describes what a boxed process may still use.
struct BoxGrants {
    std::vector<std::filesystem::path> readable = {}; // files, and folders with all that is in them
    // Files that it may write, by asking the process outside, which writes them whole.
    std::vector<std::filesystem::path> writable = {};
    std::string writablePrefix = {}; // and all whose path begins so; empty: none
    bool allFiles = false;           // reads and writes as the user may
    std::uint64_t memory = 0;        // bytes it may take beyond what it has at the start; 0: any
};

// The folder of a model, with its checkpoint and assets, both as the path says it and as it is
// without links; a model without a folder ("-") has the current one.
void grantModel(const std::filesystem::path& model, BoxGrants& grants);

} // namespace lapidary
