// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/function_table.h"

#include "runner/execute/executor.h"
#include "runner/execute/function_body.h"
#include "runner/execute/missing_kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

FunctionReference referenceOf(const Node& caller, const FunctionCall& call)
{
    return call.attr.empty() ? referenceByOp(caller)
                             : referenceIn(caller.attr(call.attr), call.index);
}

} // namespace

Result<Program*> FunctionTable::find(const Node& caller, NodeId id, const GraphMemory& memory,
                                     const FunctionCall& call)
{
    const std::tuple key(&memory, id.value, std::string(call.attr), call.index);
    const auto known = m_callees.find(key);
    if (known != m_callees.end())
        return known->second;
    auto program = instantiate(caller, call);
    if (program)
        m_callees.emplace(key, *program);
    return program;
}

Result<Program*> FunctionTable::instantiate(const Node& caller, const FunctionCall& call)
{
    const FunctionReference reference = referenceOf(caller, call);
    const FunctionPtr function = m_library ? m_library->find(reference.name) : nullptr;
    if (!function)
        return Error{ErrorCode::NotFound, std::string(caller.name()) + ": the function " +
                                              reference.name + " is not in the graph's library"};
    std::string key = reference.name;
    key += call.prunes ? "\fpruned" : "\fwhole";
    for (const auto& [name, value] : reference.attrs)
        key += '\f' + name + '=' + std::to_string(value.size()) + ':' + value;
    const auto known = m_programs.find(key);
    if (known != m_programs.end())
        return known->second.get();
    auto program = makeFunctionBody(*function, *m_library, reference.attrs, call.prunes);
    if (!program)
        return program.error().within(caller.name());
    return m_programs.emplace(std::move(key), *std::move(program)).first->second.get();
}

void FunctionTable::collectMissing(const ExecGraph& graph,
                                   std::vector<MissingKernel>& missing) const
{
    if (!m_library)
        return;
    MissingKernels all(missing);
    std::vector<NodeId> called;
    for (const ExecNode& node : graph.nodes)
        if (node.id.isValid())
            called.push_back(node.id);
    for (const FunctionPtr& function : functionsBehind(*graph.graph, called, *m_library)) {
        for (const NodePtr& node : function->body->nodes()) {
            if (node->isSynthetic() || findKernel(node->op()) || m_library->find(node->op()))
                continue;
            all.of(node->op())
                .nodes.push_back(std::string(function->name) + "/" + std::string(node->name()));
        }
    }
}

} // namespace lapidary
