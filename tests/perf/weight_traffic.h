// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <cstdint>
#include <vector>

namespace lapidary::testing {

// The weights from which one new node was made, and the bytes that it does not share with them.
struct WeightMove {
    std::string_view read;
    std::uint64_t written = 0;
};

// Returns the moves of the weights that an edit made anew.
std::vector<WeightMove> weightMoves(const Graph& before, const EditResult& edit);

// Returns the seconds that all cores need to read these bytes and to write as many into newly
// allocated pages: a lower bound for a pass that rewrites weights.
double secondsToMove(const std::vector<WeightMove>& moves);

} // namespace lapidary::testing
