// SPDX-License-Identifier: Apache-2.0
// freeze_variables
//
// Values come from the checkpoint of `model`, or from `checkpoint`. Fails if a variable has no
// value there, or if an output needs a node that assigns it; the error names the variable. Not an
// original transform: freeze_graph is a separate tool.
#include "graph_model/graph/stored_variables.h"
#include "transforms/freeze/freeze_model.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "model",
                  .type = ParameterType::String,
                  .role = ParameterRole::File,
                  .help = "file or folder of the model, to find its checkpoint"},
    ParameterSpec{.name = "checkpoint",
                  .type = ParameterType::String,
                  .role = ParameterRole::File,
                  .help = "prefix of the checkpoint, such as train/model.ckpt-1000; default: the "
                          "checkpoint that belongs to the model"},
    ParameterSpec{.name = "output",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .help = "a node or tensor to keep; default: the outputs of the model",
                  .isRepeated = true},
    ParameterSpec{.name = "except",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .help = "a variable not to freeze",
                  .isRepeated = true},
    ParameterSpec{.name = "initializer",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .help = "a node that initializes variables after the checkpoint is restored",
                  .isRepeated = true},
};

std::string single(const Parameters& given, std::string_view name)
{
    const auto values = given.all(name);
    return values.empty() ? std::string() : values.front();
}

Result<FreezeRequest> requestOf(const PassArgs& args)
{
    FreezeRequest request;
    request.model = single(args.parameters, "model");
    request.checkpoint = single(args.parameters, "checkpoint");
    request.outputs = args.parameters.all("output");
    if (request.outputs.empty())
        request.outputs = args.outputs;
    request.initializers = args.parameters.all("initializer");
    for (std::string& name : args.parameters.all("except"))
        request.choice.except.insert(std::move(name));
    if (request.outputs.empty())
        return Error{ErrorCode::InvalidArgument,
                     "needs an output: choose one of the model, or pass the parameter output",
                     ErrorReason::NoOutputs};
    return request;
}

GraphEntry entryOf(const GraphPtr& graph)
{
    GraphEntry entry;
    entry.graph = graph;
    return entry;
}

// Finds the variables that the outputs need.
Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    if (!hasStoredVariable(*graph))
        return findings;
    ASSIGN_OR_RETURN(const FreezeRequest request, requestOf(args));
    ASSIGN_OR_RETURN(const auto sources, variableSources(entryOf(graph), request, job));
    for (const VariableSource& source : sources) {
        const std::string name(graph->node(source.variable).name());
        const bool isKept = request.choice.except.count(name) > 0;
        findings.push_back(
            {{source.variable}, isKept ? "it stays a variable, as asked" : source.fault});
    }
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    if (!hasStoredVariable(*graph))
        return GraphEdit(graph).finish();
    ASSIGN_OR_RETURN(const FreezeRequest request, requestOf(args));
    ASSIGN_OR_RETURN(FrozenModel model, freezeModel(entryOf(graph), request, job));
    return std::move(model.frozen.edit);
}

} // namespace

const Pass passes::freezeVariables{
    .name = "freeze_variables",
    .summary = "Replaces variables by constants with the values of a checkpoint, and keeps only "
               "the nodes that the outputs need.",
    .before = "w = VarHandleOp()\nr = ReadVariableOp(w)\ny = MatMul(x, r)",
    .after = "w = Const()\nr = Identity(w)\ny = MatMul(x, r)",
    .declines = "Variables named by `except`. Every other variable that the outputs need must have "
                "a value.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
