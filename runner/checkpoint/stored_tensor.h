// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/graph/graph.h"
#include "graph_model/tensor/tensor.h"

#include <filesystem>

namespace lapidary {

Result<Tensor> tensorOf(const CheckpointValue& value);

// Returns the value of a Const, or of a variable from the checkpoint: under its own name, or under
// the name by which the graph's restore operation reads it. `checkpoint` is the result of
// checkpointBeside(); if it is empty, variables have no value.
Result<Tensor> storedTensor(const Graph& graph, NodeId id, const std::filesystem::path& checkpoint,
                            const Job& job);

} // namespace lapidary
