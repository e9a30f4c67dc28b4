// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/expose_states.h"

#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/freeze/classic_graph.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lapidary {
namespace {

// The op that computes the next value from the last one and the operand; empty: the operand is the
// next value.
struct Change {
    std::string_view op;
    std::string_view computes = {};
};
constexpr std::array changes = std::to_array<Change>({
    {"Assign"},
    {"AssignAdd", "AddV2"},
    {"AssignAddVariableOp", "AddV2"},
    {"AssignSub", "Sub"},
    {"AssignSubVariableOp", "Sub"},
    {"AssignVariableOp"},
});

const Change* changeBy(const Node& node)
{
    const auto found = std::ranges::find(changes, node.op(), &Change::op);
    return found == changes.end() ? nullptr : found;
}

// Returns whether a node reads its input as the variable itself.
bool readsVariable(const Consumer& reader)
{
    return !reader.isControl() && reader.slot == 0;
}

class StateExposer {
public:
    explicit StateExposer(const GraphPtr& graph)
        : m_graph(*graph)
        , m_edit(graph)
    {
    }

    Result<ExposedStates> run() &&
    {
        ExposedStates made;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            if (!isStoredVariable(m_graph.node(NodeId{i}).op()))
                continue;
            ASSIGN_OR_RETURN(ExposedStates::State state, endsOf(NodeId{i}));
            made.states.push_back(std::move(state));
        }
        ASSIGN_OR_RETURN(EditResult edit, std::move(m_edit).finish());
        made.graph = std::move(edit.graph);
        return made;
    }

private:
    Error refused(NodeId id, const std::string& why) const
    {
        const Node& node = m_graph.node(id);
        return {ErrorCode::Unsupported,
                std::string(node.name()) + ": " + std::string(node.op()) + " " + why};
    }

    Result<ExposedStates::State> endsOf(NodeId variable)
    {
        const Node& node = m_graph.node(variable);
        std::vector<NodeId> readers;
        std::optional<NodeId> change;
        for (const Consumer& reader : m_graph.consumers(variable)) {
            if (reader.isControl())
                continue;
            const Node& by = m_graph.node(reader.node);
            const bool changesIt = readsVariable(reader) && changeBy(by) != nullptr;
            if (changesIt && change)
                return refused(reader.node, "changes the variable " + std::string(node.name()) +
                                                ", which another node changes too; choose outputs "
                                                "that need one of them");
            if (changesIt)
                change = reader.node;
            else if (!canRead(node, by))
                return refused(reader.node, "reads or changes the variable " +
                                                std::string(node.name()) +
                                                " in a way that no device's file has; choose "
                                                "outputs that do not need the node");
            else
                readers.push_back(reader.node);
        }
        if (!change)
            return refused(variable, "has no value, and nothing gives it one; freeze the model");
        return rewrite(variable, readers, *change);
    }

    static bool canRead(const Node& variable, const Node& reader)
    {
        return isReferenceVariable(variable.op()) ? !changesVariable(reader.op())
                                                  : isVariableRead(reader.op());
    }

    // Returns whether a read waits for the assignment, and so returns the assigned value.
    bool isBehind(NodeId reader, NodeId change) const
    {
        return keptNodes(m_graph, {}, std::vector{reader})[change.value];
    }

    Result<ExposedStates::State> rewrite(NodeId variable, const std::vector<NodeId>& readers,
                                         NodeId change)
    {
        const Node& node = m_graph.node(variable);
        const AttrBytes dtype = std::string(node.attr("dtype").encoded());
        NodeDraft input = newNode(std::string(node.name()), "Placeholder");
        input.setAttr("dtype", dtype);
        if (node.hasAttr("shape"))
            input.shareAttr("shape", node.attr("shape"), node);
        m_edit.replace(variable, std::move(input));
        const std::string next = std::string(m_graph.node(change).name());
        for (const NodeId reader : readers) {
            NodeDraft draft = NodeDraft::of(m_graph.node(reader));
            if (isVariableRead(draft.op)) {
                draft.op = "Identity";
                draft.removeAttr("dtype");
                draft.setAttr("T", dtype);
            }
            if (isBehind(reader, change))
                std::ranges::replace(draft.inputs, std::string(node.name()), next);
            m_edit.replace(reader, std::move(draft));
        }
        replaceChange(change, dtype);
        const bool isRead =
            !changeBy(m_graph.node(change))->computes.empty() ||
            std::ranges::any_of(readers, [&](NodeId reader) { return !isBehind(reader, change); });
        return ExposedStates::State{isRead ? std::string(node.name()) : std::string(), next};
    }

    // Makes the node that changed the variable compute its next value.
    void replaceChange(NodeId id, const AttrBytes& dtype)
    {
        NodeDraft draft = NodeDraft::of(m_graph.node(id));
        const Change& change = *changeBy(m_graph.node(id));
        draft.op = change.computes.empty() ? "Identity" : change.computes;
        if (change.computes.empty())
            draft.inputs.erase(draft.inputs.begin());
        draft.attrs.clear();
        draft.setAttr("T", dtype);
        m_edit.replace(id, std::move(draft));
    }

    const Graph& m_graph;
    GraphEdit m_edit;
};

} // namespace

std::set<std::string, std::less<>>
changedVariables(const GraphPtr& graph, const std::vector<std::string>& outputs, const Job& job)
{
    std::vector<NodeId> nodes;
    for (const std::string& output : outputs)
        if (const NodeId id = graph->find(parseInput(output).node); id.isValid())
            nodes.push_back(id);
    const auto classic = classicPart(graph, nodes, outputs, job);
    std::set<std::string, std::less<>> changed;
    if (!classic)
        return changed;
    const Graph& flat = *classic->graph;
    std::vector<NodeId> kept;
    for (const NodeId id : nodes)
        if (const NodeId now = classic->lineage.successor[id.value]; now.isValid())
            kept.push_back(now);
    const std::vector<bool> isNeeded = keptNodes(flat, {}, kept);
    for (std::uint32_t i = 0; i < flat.size(); ++i) {
        if (!isNeeded[i] || !isStoredVariable(flat.node(NodeId{i}).op()))
            continue;
        for (const Consumer& reader : flat.consumers(NodeId{i}))
            if (readsVariable(reader) && isNeeded[reader.node.value] &&
                changeBy(flat.node(reader.node)) != nullptr)
                changed.emplace(flat.node(NodeId{i}).name());
    }
    return changed;
}

Result<ExposedStates> exposeStates(const GraphPtr& graph)
{
    return StateExposer(graph).run();
}

} // namespace lapidary
