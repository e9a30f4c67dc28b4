// SPDX-License-Identifier: Apache-2.0
// remove_training_nodes
//
// The function of that name in TensorFlow's graph_util: removes CheckNumerics, then every Identity
// that has no control edges. Inputs and outputs of the model, and named nodes, are kept.
#include "transforms/inference/remove_training.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "protected",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .help = "a node to keep",
                  .isRepeated = true},
};

NodeNames keptNames(const PassArgs& args)
{
    NodeNames kept = interfaceNodes(args);
    for (const std::string& name : args.parameters.all("protected"))
        kept.insert(name);
    return kept;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return findTrainingNodes(graph, keptNames(args), job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return removeTrainingNodes(graph, keptNames(args), job);
}

} // namespace

const Pass passes::removeTrainingNodes{
    .name = "remove_training_nodes",
    .summary = "Removes CheckNumerics, and Identity nodes without control edges.",
    .before = "c = CheckNumerics(x)\n"
              "i = Identity(x, ^c)\n"
              "y = Relu(i)",
    .after = "y = Relu(x)",
    .declines = "Inputs and outputs of the model, protected nodes, Identity nodes with control "
                "edges, and those that copy a variable.",
    .differences = "TensorFlow has no such transform, but a Python function of that name. What "
                   "read a CheckNumerics reads what it checked; there, it loses the input.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
