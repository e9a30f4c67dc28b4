// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <optional>
#include <string_view>

namespace lapidary {

// Returns the problem of a checkpoint with this VersionDef if version 1, the only one, may not read
// it; nothing if it may.
std::optional<Problem> checkpointVersionFault(std::string_view versionDef);

} // namespace lapidary
