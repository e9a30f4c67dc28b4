// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/graph/graph.h"
#include "graph_model/read/bound_inputs.h"
#include "graph_model/tensor/tensor.h"

#include <filesystem>

namespace lapidary {

// Where the values of a model's variables are.
struct VariableStore {
    std::filesystem::path checkpoint; // checkpointBeside(); if it is empty, they have no value
    BoundInputs bound = {};           // of the model's graph
};

Result<Tensor> tensorOf(const CheckpointValue& value);

// Returns the value of a Const, or of a variable from the checkpoint: under its own name, or under
// the name by which the graph's restore operation reads it.
Result<Tensor> storedTensor(const Graph& graph, NodeId id, const VariableStore& store,
                            const Job& job);

} // namespace lapidary
