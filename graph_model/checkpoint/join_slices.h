// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/checkpoint/slice.h"

#include <span>
#include <vector>

namespace lapidary {

// Puts the values of `parts` where their slices of the whole are. `whole` has dtype and sizes
// already; slice i, which parts[i] holds all elements of, lies within them, and the slices cover it
// (checkTiling).
void joinSlices(CheckpointValue& whole, std::span<const Slice> slices,
                std::vector<CheckpointValue> parts);

} // namespace lapidary
