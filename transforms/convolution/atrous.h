// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

namespace lapidary {

// A convolution between SpaceToBatchND and BatchToSpaceND, and the constants of both.
struct AtrousConv {
    const Node& conv;
    const Node& filter;
    const Node& toBatch;
    const Node& blocks;   // block_shape of SpaceToBatchND
    const Node& paddings; // of SpaceToBatchND
    const Node& blocksBack;
    const Node& crops; // of BatchToSpaceND
};

// Makes the filter with zeros between its taps, U[bh*h, bw*w, c, o] = F[h, w, c, o], with which a
// plain convolution with SAME padding computes the same. The error's message says why there is
// none.
Result<NodeDraft> flattenedFilter(const AtrousConv& atrous);

} // namespace lapidary
