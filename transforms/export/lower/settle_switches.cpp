// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/settle_switches.h"

#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lapidary {
namespace {

// Returns the value of a predicate that is constant, looking through Identity nodes.
std::optional<bool> constantPredicate(const Graph& graph, Endpoint from)
{
    for (std::size_t steps = 0; steps < graph.size() && from.node.isValid(); ++steps) {
        const Node& node = graph.node(from.node);
        if (isConstant(node.op())) {
            const auto value = node.tensor();
            if (!value || value->dtype() != DType::Bool || value->elements() != 1)
                return std::nullopt;
            const auto bytes = value->values();
            return bytes ? std::optional((*bytes)[0] != 0) : std::nullopt;
        }
        const auto inputs = graph.inputs(from.node);
        if (!copiesInput(node.op()) || inputs.empty())
            return std::nullopt;
        from = inputs[0];
    }
    return std::nullopt;
}

class Settling {
public:
    explicit Settling(const GraphPtr& graph)
        : m_graph(graph)
        , m_isDead(graph->size(), false)
    {
    }

    Result<GraphPtr> run()
    {
        for (const NodeId id : topologicalOrder(*m_graph))
            visit(id);
        if (m_livePorts.empty())
            return m_graph;
        GraphEdit edit(m_graph);
        for (const auto& [id, port] : m_livePorts) {
            const Node& node = m_graph->node(NodeId{id});
            const std::string output = std::string(node.name()) + (port == 0 ? "" : ":1");
            edit.redirect(output, std::string(node.inputs()[0].text));
        }
        for (const auto& [id, slot] : m_liveSides)
            edit.replace(NodeId{id}, identity(m_graph->node(NodeId{id}), slot));
        ASSIGN_OR_RETURN(EditResult settled, std::move(edit).finish());
        return settled.graph;
    }

private:
    bool isDead(const Endpoint& from) const
    {
        if (!from.node.isValid())
            return false;
        const auto live = m_livePorts.find(from.node.value);
        return m_isDead[from.node.value] ||
               (live != m_livePorts.end() && !from.isControl() && live->second != from.port);
    }

    void visit(NodeId id)
    {
        const std::string_view op = m_graph->node(id).op();
        const auto inputs = m_graph->inputs(id);
        if (isMerge(op)) {
            visitMerge(id);
            return;
        }
        m_isDead[id.value] = std::ranges::any_of(inputs, [&](auto& from) { return isDead(from); });
        if (!isSwitch(op) || inputs.size() < 2 || m_isDead[id.value])
            return;
        if (const auto value = constantPredicate(*m_graph, inputs[1]))
            m_livePorts[id.value] = *value ? 1 : 0;
    }

    void visitMerge(NodeId id)
    {
        const auto inputs = m_graph->inputs(id);
        std::vector<std::size_t> live;
        bool isLoop = false;
        for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
            isLoop = isLoop || (inputs[slot].node.isValid() &&
                                isNextIteration(m_graph->node(inputs[slot].node).op()));
            if (!isDead(inputs[slot]))
                live.push_back(slot);
        }
        const auto readers = m_graph->consumers(id);
        const bool tellsSide =
            std::ranges::any_of(readers, [](auto& reader) { return reader.port == 1; });
        m_isDead[id.value] = live.empty() && !inputs.empty();
        if (!isLoop && !tellsSide && live.size() == 1 && inputs.size() > 1)
            m_liveSides[id.value] = live.front();
    }

    static NodeDraft identity(const Node& merge, std::size_t slot)
    {
        NodeDraft draft = newNode(std::string(merge.name()), "Identity",
                                  {std::string(merge.inputs()[slot].text)});
        copyAttr(merge, "T", draft);
        return draft;
    }

    GraphPtr m_graph;
    std::vector<bool> m_isDead;                        // by node
    std::map<std::uint32_t, std::int32_t> m_livePorts; // of settled Switches
    std::map<std::uint32_t, std::size_t> m_liveSides;  // of Merges with one side left
};

} // namespace

Result<GraphPtr> settleSwitches(const GraphPtr& graph)
{
    return Settling(graph).run();
}

} // namespace lapidary
