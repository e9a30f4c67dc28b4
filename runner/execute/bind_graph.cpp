// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/bind_graph.h"

#include "graph_model/binding/bind_node.h"
#include "graph_model/binding/node_signature.h"

#include <unordered_map>

namespace lapidary {
namespace {

class GraphBinder {
public:
    GraphBinder(ExecGraph& graph, const FusedGraph* fused)
        : m_graph(graph)
        , m_fused(fused)
    {
        if (fused != nullptr)
            for (const Fusion& fusion : fused->fusions)
                m_fusions.emplace(fusion.members.back().value, &fusion);
    }

    Status run()
    {
        for (ExecNode& exec : m_graph.nodes) {
            if (!exec.id.isValid())
                continue;
            const Node& node = m_graph.graph->node(exec.id);
            const auto fusion = m_fusions.find(exec.id.value);
            if (fusion != m_fusions.end() && isInternalOp(node.op())) {
                RETURN_IF_ERROR(bindFused(exec, *fusion->second));
            } else if (exec.proceed != libraryCallProceed()) {
                RETURN_IF_ERROR(bindPlain(exec, node));
            }
        }
        return Done{};
    }

private:
    Status bindPlain(const ExecNode& exec, const Node& node)
    {
        m_given.clear();
        for (std::uint32_t i = 0; i < exec.dataInputs; ++i)
            m_given.push_back(m_graph.slots[exec.firstSlot + i].given);
        RETURN_IF_ERROR(bindNode(node, m_given));
        return checkRegisteredTypes(node);
    }

    // Checks the members of a fusion, which are unchanged in the graph before the fusion.
    Status bindFused(const ExecNode& exec, const Fusion& fusion)
    {
        m_wanted.clear();
        for (const NodeId id : fusion.members) {
            const Node& member = m_fused->original->node(id);
            readGiven(id);
            RETURN_IF_ERROR(bindNode(member, m_given));
            RETURN_IF_ERROR(checkRegisteredTypes(member));
            collectWanted(member);
        }
        std::uint32_t number = 0;
        for (const Input& input : m_graph.graph->node(exec.id).inputs()) {
            if (input.isControl() || number >= exec.dataInputs)
                continue;
            ExecSlot& slot = m_graph.slots[exec.firstSlot + number++];
            const auto wanted = m_wanted.find(input.text);
            slot.dtype = wanted == m_wanted.end() ? slot.given : wanted->second;
        }
        return Done{};
    }

    void readGiven(NodeId id)
    {
        const Graph& graph = *m_fused->original;
        m_given.clear();
        for (const Endpoint& from : graph.inputs(id)) {
            if (from.isControl())
                continue;
            const OpSpec* op = from.node.isValid() ? findOp(graph.node(from.node).op()) : nullptr;
            m_given.push_back(op == nullptr ? DType::Invalid
                                            : outputDtype(graph.node(from.node), *op, from.port));
        }
    }

    void collectWanted(const Node& member)
    {
        const OpSpec* op = findOp(member.op());
        if (op == nullptr)
            return;
        std::int64_t number = 0;
        for (const Input& input : member.inputs())
            if (!input.isControl())
                m_wanted.emplace(input.text, inputDtype(member, *op, number++));
    }

    ExecGraph& m_graph;
    const FusedGraph* m_fused;
    std::unordered_map<std::uint32_t, const Fusion*> m_fusions; // by the node that replaces it
    std::vector<DType> m_given;
    std::unordered_map<std::string_view, DType> m_wanted; // by the text of the input
};

} // namespace

Status bindGraph(ExecGraph& graph, const FusedGraph* fused)
{
    return GraphBinder(graph, fused).run();
}

} // namespace lapidary
