// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/checkpoint/slice.h"

#include <span>
#include <vector>

namespace lapidary {

// Copies the values of `parts` to their slices of the whole. `whole` must have dtype and sizes;
// parts[i] has all elements of slice i, which must be inside the sizes, and the slices must cover
// them (checkTiling).
void joinSlices(CheckpointValue& whole, std::span<const Slice> slices,
                std::vector<CheckpointValue> parts);

} // namespace lapidary
