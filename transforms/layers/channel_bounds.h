// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "transforms/layers/layer_readers.h"

#include <limits>
#include <vector>

namespace lapidary {

struct Interval {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool isValue() const { return low == high; }
};

// The values that the first output of a node can have, for all inputs within their
// range.
struct ChannelBounds {
    std::vector<Interval>
        channels;        // value i of a row is in the interval i mod size; empty: unknown
    bool isFlat = false; // see ChannelOp

    // Returns the interval of channel k of `count`.
    Interval of(std::size_t k, std::size_t count) const;
};

// Returns the bounds by node: interval arithmetic through layers, what is added to them, and ops
// that keep channels apart, with allowance for the rounding of float sums in any order; everything
// else is unknown. `inputs`, and all placeholders, are floats within `range`. O(weights).
Result<std::vector<ChannelBounds>> channelBounds(const Graph& graph, const NodeNames& inputs,
                                                 Interval range, const Job& job);

} // namespace lapidary
