// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/reached_work.h"

#include "graph_model/ops/op_registry.h"

#include <unordered_set>
#include <utility>

namespace lapidary {

std::size_t ReachedWork::from(const Graph& graph)
{
    Own own = ownOf(graph);
    return own.heavy + follow(std::move(own.calls));
}

std::size_t ReachedWork::from(const Function& function)
{
    return follow({&function});
}

ReachedWork::Own ReachedWork::ownOf(const Graph& graph) const
{
    Own own;
    for (const NodePtr& node : graph.nodes()) {
        own.heavy += opFamily(node->op()) == OpFamily::HeavyMaths ? 1 : 0;
        for (const FunctionPtr& function : calledFunctions(graph, *node, m_library))
            own.calls.push_back(function.get());
    }
    return own;
}

const ReachedWork::Own& ReachedWork::ownOf(const Function& function)
{
    const auto [at, isNew] = m_known.try_emplace(&function);
    if (isNew && function.body)
        at->second = ownOf(*function.body);
    return at->second;
}

std::size_t ReachedWork::follow(std::vector<const Function*> open)
{
    std::unordered_set<const Function*> seen;
    std::size_t heavy = 0;
    while (!open.empty() && m_callsLeft > 0) {
        const Function* function = open.back();
        open.pop_back();
        --m_callsLeft;
        if (!seen.insert(function).second)
            continue;
        const Own& own = ownOf(*function);
        heavy += own.heavy;
        open.insert(open.end(), own.calls.begin(), own.calls.end());
    }
    return m_callsLeft > 0 ? heavy : 0;
}

} // namespace lapidary
