// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/function_body.h"

#include "runner/execute/bind_graph.h"
#include "runner/execute/bound_function.h"
#include "runner/execute/executor.h"

namespace lapidary {
namespace {

Error fault(const Function& function, const std::string& text)
{
    return {ErrorCode::InvalidArgument, "in function " + std::string(function.name) + ": " + text};
}

std::vector<NodeId> targetsOf(const BoundFunction& bound, bool prunes)
{
    if (prunes)
        return bound.controlResults;
    std::vector<NodeId> targets;
    for (std::uint32_t i = bound.bodyBegin; i < bound.bodyEnd; ++i)
        targets.push_back(NodeId{i});
    return targets;
}

} // namespace

Result<std::unique_ptr<Program>> makeFunctionBody(const Function& function,
                                                  const FunctionLibrary& library,
                                                  const BoundAttrs& given, bool prunes)
{
    ASSIGN_OR_RETURN(BoundFunction bound, bindFunction(function, library, given));
    CompileRequest request;
    request.feeds = std::move(bound.arguments);
    request.fetches = std::move(bound.results);
    request.targets = targetsOf(bound, prunes);
    auto compiled = compile(bound.graph, &library, request);
    if (!compiled)
        return fault(function, compiled.error().message);
    if (const Status status = bindGraph(*compiled, nullptr); !status)
        return fault(function, status.error().message);
    if (!compiled->missing.empty()) {
        const MissingKernel& missing = compiled->missing.front();
        return fault(function, "no kernel for " + missing.op + " (" + missing.nodes.front() + ")");
    }
    auto program = std::make_unique<Program>();
    program->graph = *std::move(compiled);
    program->function = function.name;
    program->emptyIfDead = prunes; // as in PartitionedCall, unlike direct calls
    program->argumentTypes = std::move(bound.argumentTypes);
    program->resultTypes = std::move(bound.resultTypes);
    program->memory = std::make_shared<GraphMemory>();
    program->memory->nodes.resize(bound.graph->size());
    return program;
}

} // namespace lapidary
