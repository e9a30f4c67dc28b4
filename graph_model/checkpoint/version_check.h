// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <optional>
#include <string_view>

namespace lapidary {

// Returns whether a checkpoint with this VersionDef may be read by version 1, the only one.
std::optional<Problem> checkpointVersionFault(std::string_view versionDef);

} // namespace lapidary
