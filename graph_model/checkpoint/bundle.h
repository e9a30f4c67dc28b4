// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/checkpoint.h"

namespace lapidary {

// Opens a checkpoint of version 2: PREFIX.index and PREFIX.data-SSSSS-of-NNNNN.
OpenedCheckpoint openBundle(const std::filesystem::path& prefix, const Job& job);

} // namespace lapidary
