// SPDX-License-Identifier: Apache-2.0
// Cycles. The only legal ones go through NextIteration -> Merge: the back edge of a loop.
#include "graph_model/check/check_context.h"
#include "graph_model/check/components.h"
#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

constexpr std::size_t maxReported = 1000; // maximum number of nodes of one cycle
constexpr std::size_t maxNamed = 8;       // maximum number of names in one message

bool isLoopEdge(const Graph& graph, NodeId reader, const Endpoint& from)
{
    return !from.isControl() && isMerge(graph.node(reader).op()) &&
           isNextIteration(graph.node(from.node).op());
}

// Returns whether a node is a result of a function, which cannot be read even if an input has its
// name.
bool isResult(const Node& node)
{
    return node.isSynthetic() && node.op() == "_Retval";
}

// Returns links from each node to the nodes that it reads, against the direction of the data.
Links readLinks(CheckContext& context)
{
    Links links;
    links.start.reserve(context.graph.size() + 1);
    links.targets.reserve(context.graph.edgeCount());
    for (std::uint32_t i = 0; i < context.graph.size(); ++i) {
        bool selfLoop = false;
        for (const Endpoint& from : context.graph.inputs(NodeId{i})) {
            selfLoop = selfLoop || from.node == NodeId{i};
            if (from.node.isValid() && from.node != NodeId{i} &&
                !isLoopEdge(context.graph, NodeId{i}, from) &&
                !isResult(context.graph.node(from.node)))
                links.targets.push_back(from.node.value);
        }
        links.endNode();
        if (selfLoop && !isResult(context.graph.node(NodeId{i})))
            context.report("self_loop", Severity::Error, NodeId{i}, "It reads its own output");
    }
    return links;
}

void reportCycle(CheckContext& context, const Links& links,
                 const std::vector<std::uint32_t>& component)
{
    const std::vector<std::uint32_t> cycle = shortestCycle(links, component, component.front());
    std::string names;
    for (std::size_t i = 0; i < cycle.size() && i < maxNamed; ++i)
        names += quote(context.graph.node(NodeId{cycle[i]}).name()) + " reads ";
    names += cycle.size() > maxNamed ? "…" : quote(context.graph.node(NodeId{cycle[0]}).name());
    for (std::size_t i = 0; i < component.size() && i < maxReported; ++i)
        context.report("cycle", Severity::Error, NodeId{component[i]},
                       "It is one of " + std::to_string(component.size()) +
                           " nodes in a cycle: " + names);
}

// Checks that a Merge with a back edge of a loop has one other input, by which the loop is entered.
void checkEntry(CheckContext& context, NodeId merge)
{
    int round = 0;
    int entering = 0;
    for (const Endpoint& from : context.graph.inputs(merge)) {
        if (!from.node.isValid())
            continue;
        if (from.isControl()) {
            if (isNextIteration(context.graph.node(from.node).op()))
                context.report("cycle", Severity::Error, merge,
                               "It waits for " + quote(context.graph.node(from.node).name()) +
                                   ", which comes from a later iteration of a loop; import does "
                                   "not wait for that");
            continue;
        }
        ++(isLoopEdge(context.graph, merge, from) ? round : entering);
    }
    if (round > 0 && entering == 0)
        context.report("cycle", Severity::Error, merge,
                       "All its inputs come from its own loop and none from outside, so the loop "
                       "waits for itself");
    else if (round > 0 && entering > 1)
        context.report("cycle", Severity::Error, merge,
                       "Its loop is entered by " + std::to_string(entering) +
                           " inputs; TensorFlow knows one beside those that come round");
}

} // namespace

void checkCycles(CheckContext& context)
{
    for (std::uint32_t i = 0; i < context.graph.size(); ++i)
        if (isMerge(context.graph.node(NodeId{i}).op()))
            checkEntry(context, NodeId{i});
    const Links links = readLinks(context);
    for (const std::vector<std::uint32_t>& component : cyclicComponents(links))
        reportCycle(context, links, component);
}

} // namespace lapidary
