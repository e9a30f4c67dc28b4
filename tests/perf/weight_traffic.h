// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <cstdint>
#include <vector>

namespace lapidary::testing {

// The weights that one new node was made from, and how many bytes of its own it has.
struct WeightMove {
    std::string_view read;
    std::uint64_t written = 0;
};

// Returns the moves of the weights that an edit made anew.
std::vector<WeightMove> weightMoves(const Graph& before, const EditResult& edit);

// Seconds that it takes all cores to read these bytes and to write as many as are written into
// freshly allocated pages: the least that a pass that rewrites weights can do.
double secondsToMove(const std::vector<WeightMove>& moves);

} // namespace lapidary::testing
