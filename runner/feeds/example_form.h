// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/feeds/feed_source.h"

#include <string>
#include <vector>

namespace lapidary {

// A feature that each tf.Example must hold.
struct RequiredFeature {
    std::string key;
    DType dtype = DType::Float; // Float, Int64 or String
    Dims dims;
};

// The features without a default that an op asks for which parses the texts of `input`; empty where
// there is no such op, or where it asks for more than anybody would feed.
std::vector<RequiredFeature> requiredFeatures(const Graph& graph, NodeId input);

// A serialized tf.Example with these features: `number` everywhere, and empty texts.
Result<std::string> exampleOf(const std::vector<RequiredFeature>& features, double number,
                              MemoryPool& pool);
// The same with the numbers and words of a RandomFeed.
Result<std::string> randomExample(const std::vector<RequiredFeature>& features,
                                  const RandomFeed& source, MemoryPool& pool);

} // namespace lapidary
