// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/feeds/feed_source.h"

#include <string>
#include <vector>

namespace lapidary {

// A feature that every tf.Example must have.
struct RequiredFeature {
    std::string key;
    DType dtype = DType::Float; // Float, Int64 or String
    Dims dims;
};

// Returns the features without a default that the op which parses the texts of `input` requires;
// empty if there is no such op, or if it requires more features than anybody would feed.
std::vector<RequiredFeature> requiredFeatures(const Graph& graph, NodeId input);

// Returns a serialized tf.Example with these features: all numbers are `number`, all texts empty.
Result<std::string> exampleOf(const std::vector<RequiredFeature>& features, double number,
                              MemoryPool& pool);
// Like exampleOf(), with the numbers and words of a RandomFeed.
Result<std::string> randomExample(const std::vector<RequiredFeature>& features,
                                  const RandomFeed& source, MemoryPool& pool);

} // namespace lapidary
