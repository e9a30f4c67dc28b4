// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/layers/layer.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

// The readers of a layer's channels where every path leads to a layer, through ops that a positive
// factor for each channel passes: value i of a reader's input belongs to channel i mod channels.
struct LayerReaders {
    std::vector<Layer> layers;
    std::vector<NodeId> clips; // on the way: Relu6, Minimum and Maximum, whose limits scale too
};

using NodeNames = std::set<std::string, std::less<>>;

// `kept`: nodes whose values must stay what they are. The error's message says what is in the way:
// "also read by add (AddV2)".
Result<LayerReaders> layerReaders(const Graph& graph, const Layer& layer, const NodeNames& kept);

} // namespace lapidary
