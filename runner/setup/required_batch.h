// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lapidary {

// Returns the first size, the batch, of inputs that leave it open: 1, unless this contradicts a
// size in the graph, such as that of the state of a recurrent layer that was built for batches of
// 32. Then it is a size of the graph that contradicts nothing; 1 if there is none.
// `inputs`: all that are fed, with their shapes. `isNeeded`: the nodes that will run, one flag a
// node. Takes as long as inferring shapes once, and a few times as long if 1 is contradicted.
Result<std::int64_t> requiredBatch(const Graph& graph,
                                   std::span<const std::pair<Endpoint, Shape>> inputs,
                                   const std::vector<bool>& isNeeded, const Job& job);

} // namespace lapidary
