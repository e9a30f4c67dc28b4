// SPDX-License-Identifier: Apache-2.0
#include "transforms/functions/function_facts.h"

#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

// Returns whether an op makes a handle of something that persists: its name matters, not when it
// runs.
bool makesHandle(const OpSpec& op)
{
    return op.inputs.empty() && std::ranges::all_of(op.outputs, [](const ArgSpec& output) {
               return output.dtype == DType::Resource || output.isReference;
           });
}

bool takesState(const OpSpec& op)
{
    return std::ranges::any_of(op.inputs, [](const ArgSpec& input) {
        return input.dtype == DType::Resource || input.isReference;
    });
}

Effects effectsOfOp(std::string_view name)
{
    if (changesVariable(name))
        return Effects::Reads | Effects::Changes;
    const OpSpec* op = findOp(name);
    if (op == nullptr)
        return Effects::All;
    if (!op->isStateful || makesHandle(*op) || isPlaceholder(name) || isFunctionArgument(name) ||
        isFunctionResult(name))
        return Effects::None;
    if (isVariableRead(name) || name.starts_with("ResourceGather"))
        return Effects::Reads;
    return takesState(*op) ? Effects::All : Effects::Others;
}

} // namespace

std::vector<FunctionReference> calledBy(const Node& node, const FunctionLibrary& library)
{
    if (library.find(node.op()))
        return {referenceByOp(node)};
    std::vector<FunctionReference> called;
    switch (callKind(node.op())) {
    case CallKind::None: break;
    case CallKind::Call: called = {referenceIn(node.attr("f"))}; break;
    case CallKind::Loop:
        called = {referenceIn(node.attr("cond")), referenceIn(node.attr("body"))};
        break;
    case CallKind::Branch:
        called = referencesIn(node.attr("branches"));
        if (called.empty())
            called = {referenceIn(node.attr("then_branch")), referenceIn(node.attr("else_branch"))};
        break;
    }
    return called;
}

FunctionFacts::Facts FunctionFacts::of(const Node& node, int depth)
{
    const auto called = calledBy(node, m_library);
    if (called.empty())
        return {effectsOfOp(node.op()), 1, 0};
    Facts facts;
    for (const FunctionReference& reference : called) {
        const Facts body = of(reference.name, depth + 1);
        facts.effects = facts.effects | body.effects;
        facts.size = std::min(facts.size + body.size, mostNodes);
        facts.depth = std::max(facts.depth, body.depth + 1);
    }
    if (facts.depth > deepest)
        facts.size = mostNodes;
    return facts;
}

FunctionFacts::Facts FunctionFacts::of(const std::string& function, int depth)
{
    const auto known = m_facts.find(function);
    if (known != m_facts.end())
        return known->second;
    const FunctionPtr found = m_library.find(function);
    if (!found || depth > deepest)
        return {Effects::All, mostNodes, 0};
    m_facts.emplace(function, Facts{Effects::None, mostNodes, 0}); // for calls of itself
    Facts facts;
    for (const NodePtr& node : found->body->nodes()) {
        const Facts inner = of(*node, depth);
        facts.effects = facts.effects | inner.effects;
        facts.size = std::min(facts.size + inner.size, mostNodes);
        facts.depth = std::max(facts.depth, inner.depth);
    }
    m_facts[function] = facts;
    return facts;
}

// Walks the calls depth first without recursion, since a library may nest them thousands deep.
std::string FunctionFacts::recursion(std::string_view function) const
{
    struct Step {
        FunctionPtr function;
        std::vector<FunctionPtr> open;
    };
    std::vector<Step> path;
    std::set<const Function*> seen;
    std::set<const Function*> isOpen; // functions on the current path
    const auto enter = [&](const FunctionPtr& at) {
        seen.insert(at.get());
        isOpen.insert(at.get());
        Step step{at, {}};
        for (const NodePtr& node : at->body->nodes())
            for (FunctionPtr& called : calledFunctions(*at->body, *node, m_library))
                step.open.push_back(std::move(called));
        path.push_back(std::move(step));
    };
    if (const FunctionPtr first = m_library.find(function))
        enter(first);
    while (!path.empty()) {
        if (path.back().open.empty()) {
            isOpen.erase(path.back().function.get());
            path.pop_back();
            continue;
        }
        const FunctionPtr next = path.back().open.back();
        path.back().open.pop_back();
        if (isOpen.contains(next.get())) {
            std::string chain;
            for (auto step = std::ranges::find(path, next, &Step::function); step != path.end();
                 ++step)
                chain += std::string(step->function->name) + " > ";
            return chain + std::string(next->name);
        }
        if (!seen.contains(next.get()))
            enter(next);
    }
    return {};
}

} // namespace lapidary
