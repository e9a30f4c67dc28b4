// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

// Tells by the ending whether a file is a picture that can be fed.
bool isPictureFile(const std::string& path);

// The names of the pictures in a folder, sorted; there is one at least.
Result<std::vector<std::string>> picturesIn(const std::string& folder);

} // namespace lapidary
