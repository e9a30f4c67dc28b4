// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns whether a file is a picture that can be fed, judged by its extension.
bool isPictureFile(const std::string& path);

// Returns the names of the pictures in a folder, sorted. A folder without pictures is an error.
Result<std::vector<std::string>> picturesIn(const std::string& folder);

} // namespace lapidary
