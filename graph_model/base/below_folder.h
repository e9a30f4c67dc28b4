// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lapidary {

// Returns whether the path leads to something inside the folder once links are followed. Neither
// has to exist. Returns false if the system cannot tell.
bool liesBelow(const std::filesystem::path& path, const std::filesystem::path& folder);

} // namespace lapidary
