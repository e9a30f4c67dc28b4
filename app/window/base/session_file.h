// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary {

inline constexpr std::string_view sessionSuffix = ".lapidary";

// A session that was saved under a name: the open files, and the user's work on
// them.
struct SessionFile {
    struct Entry {
        std::filesystem::path path;
        nlohmann::json state; // see DocumentMemory::state()
    };
    std::vector<Entry> files;
    int current = 0;
    std::string panels = {}; // the layout of the panels, as the window encodes it; may be empty
};

// Tells whether a file is a session, by its content, or by its suffix.
bool isSessionFile(const std::filesystem::path& path);
std::string sessionText(const SessionFile& session);
// Files that are not at their recorded paths are searched for beside the session. An error tells
// what is wrong with the file.
Result<SessionFile> readSession(const std::filesystem::path& path);

} // namespace lapidary
