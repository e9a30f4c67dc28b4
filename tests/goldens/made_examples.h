// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lapidary::goldens {

// Returns serialized tf.Examples that have every feature that a node of the graph parses, each with
// different values; nothing if no node parses any. The names of the features must be constants.
Result<std::vector<std::string>> madeExamples(const GraphPtr& graph, std::size_t count);

} // namespace lapidary::goldens
