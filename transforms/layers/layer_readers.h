// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/layers/layer.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

// The readers of a layer's channels, if every path leads to a layer through ops that preserve a
// positive factor for each channel: value i of a reader's input belongs to channel i mod channels.
struct LayerReaders {
    std::vector<Layer> layers;
    std::vector<NodeId> clips; // on the way: Relu6, Minimum and Maximum, whose limits scale too
};

using NodeNames = std::set<std::string, std::less<>>;

// `kept`: nodes whose values must not change. The error's message names the obstacle: "also read by
// add (AddV2)".
Result<LayerReaders> layerReaders(const Graph& graph, const Layer& layer, const NodeNames& kept);

} // namespace lapidary
