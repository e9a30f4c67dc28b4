// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/checkpoint.h"

namespace lapidary {

// Opens a checkpoint of version 1: tables with the slices of every variable as TensorProtos.
OpenedCheckpoint openSavedSlices(const std::filesystem::path& pattern, const Job& job);

} // namespace lapidary
