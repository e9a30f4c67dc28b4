// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/profile_sums.h"
#include "runner/shapes/infer_shapes.h"

#include <cstddef>
#include <vector>

namespace lapidary {

// A node of a profile whose operations are counted: its operations for each byte that it moves, and
// its speed.
struct RooflinePoint {
    std::size_t row = 0;  // of the profile
    double bytes = 0;     // read and written in a run
    double intensity = 0; // FLOP per byte
    double rate = 0;      // FLOP per second
};

// Returns the points of the nodes that the profile's sums match to `graph`, in its order. Outputs
// of a node were measured; its inputs were if their producers were, else `shapes` gives them. Nodes
// without time, operations or known bytes have no point.
std::vector<RooflinePoint> rooflinePoints(const ProfileSums& sums, const Graph& graph,
                                          const InferredShapes* shapes);

} // namespace lapidary
