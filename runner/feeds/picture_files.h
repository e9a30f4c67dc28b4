// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

// The names of the pictures in a folder, sorted; there is one at least.
Result<std::vector<std::string>> picturesIn(const std::string& folder);

} // namespace lapidary
