// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

// The names of classes, one a line of the file each, without its end.
Result<std::vector<std::string>> readLabels(const std::string& path);

} // namespace lapidary
