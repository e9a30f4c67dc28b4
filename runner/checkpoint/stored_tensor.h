#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/tensor/tensor.h"

#include <filesystem>

namespace lapidary {

// A node that stands for a variable, not one that reads or assigns it.
bool isVariable(const Node& node);

// The value of a Const, or what the checkpoint holds for a variable: under its own name or under
// the one that the graph's restore operation reads it by. `checkpoint` as checkpointBeside() gives
// it; where it is empty, variables have no value.
Result<Tensor> storedTensor(const Graph& graph, NodeId id, const std::filesystem::path& checkpoint,
                            const Job& job);

} // namespace lapidary
