// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

// Reads the names of classes: the lines of the file, without their ends.
Result<std::vector<std::string>> readLabels(const std::string& path);

} // namespace lapidary
