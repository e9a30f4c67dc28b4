// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/select_branches.h"

#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"

#include <algorithm>

namespace lapidary {
namespace {

// One side of one condition.
struct Branch {
    Endpoint predicate;
    std::string text; // the predicate as an input
    bool isTrue = false;

    bool isOpposite(const Branch& other) const
    {
        return predicate == other.predicate && isTrue != other.isTrue;
    }
    bool operator==(const Branch&) const = default;
};
// The branches around a node, the outermost first. Each node has its own list, so that N nested
// branches take N * N entries: a graph with more nested ones than this is not rewritten.
using Branches = std::vector<Branch>;
constexpr std::size_t mostNested = 64;

bool isPrefix(const Branches& a, const Branches& b)
{
    return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

class Selecting {
public:
    explicit Selecting(const GraphPtr& graph)
        : m_graph(graph)
        , m_branches(graph->size())
    {
    }

    Result<GraphPtr> run()
    {
        GraphEdit edit(m_graph);
        bool hasSwitch = false;
        for (const NodeId id : topologicalOrder(*m_graph)) {
            const Node& node = m_graph->node(id);
            m_branches[id.value] = branchesOfInputs(id);
            if (m_branches[id.value].size() > mostNested)
                return m_graph;
            if (isLoopCond(node.op()))
                runOnlyIn(m_branches[id.value], id, edit);
            if (isLoopNode(id))
                continue;
            if (isMerge(node.op())) {
                auto select = selection(id);
                if (!select)
                    return m_graph;
                edit.replace(id, *std::move(select));
            }
            if (isSwitch(node.op())) {
                hasSwitch = true;
                const std::string name(node.name());
                const std::string data(node.inputs()[0].text);
                edit.redirect(name, data);
                edit.redirect(name + ":1", data);
            }
        }
        if (!hasSwitch)
            return m_graph;
        ASSIGN_OR_RETURN(EditResult selected, std::move(edit).finish());
        return selected.graph;
    }

private:
    // Returns whether a node is a Merge or Switch of a loop's variable.
    bool isLoopNode(NodeId id) const
    {
        const Node& node = m_graph->node(id);
        const auto inputs = m_graph->inputs(id);
        const auto isOp = [&](std::size_t slot, bool (*test)(std::string_view)) {
            return slot < inputs.size() && inputs[slot].node.isValid() &&
                   test(m_graph->node(inputs[slot].node).op());
        };
        if (isMerge(node.op()))
            return isOp(0, isNextIteration) || isOp(1, isNextIteration) || isOp(0, isEnter);
        return isSwitch(node.op()) && isOp(1, isLoopCond);
    }

    // Makes a loop on one side of a condition run only if that side is taken: otherwise it may
    // never end.
    void runOnlyIn(const Branches& branches, NodeId loop, GraphEdit& edit) const
    {
        if (branches.empty())
            return;
        const Node& node = m_graph->node(loop);
        std::string runs(node.inputs()[0].text);
        for (const Branch& branch : branches) {
            const std::string name =
                std::string(node.name()) + "/side" + std::to_string(&branch - branches.data());
            std::string side = branch.text;
            if (!branch.isTrue) {
                edit.add(newNode(name + "/not", "LogicalNot", {side}));
                side = name + "/not";
            }
            edit.add(newNode(name, "LogicalAnd", {runs, side}));
            runs = name;
        }
        NodeDraft draft = NodeDraft::of(node);
        draft.inputs = {runs};
        edit.replace(loop, std::move(draft));
    }

    Branches branchesOf(const Endpoint& from) const
    {
        if (!from.node.isValid())
            return {};
        Branches branches = m_branches[from.node.value];
        const Node& node = m_graph->node(from.node);
        if (isSwitch(node.op()) && !isLoopNode(from.node) && !from.isControl())
            branches.push_back({m_graph->inputs(from.node)[1], std::string(node.inputs()[1].text),
                                from.port == 1});
        return branches;
    }

    Branches branchesOfInputs(NodeId id) const
    {
        Branches longest;
        for (const Endpoint& from : m_graph->inputs(id)) {
            Branches branches = branchesOf(from);
            if (branches.size() > longest.size())
                longest = std::move(branches);
        }
        return longest;
    }

    // Returns the Select that replaces a Merge. The branches of its inputs are its sides; an input
    // without branches, such as a constant, belongs to the other side.
    std::optional<NodeDraft> selection(NodeId id)
    {
        const Node& node = m_graph->node(id);
        const auto inputs = m_graph->inputs(id);
        const auto readers = m_graph->consumers(id);
        if (inputs.size() != 2 ||
            std::ranges::any_of(readers, [](auto& reader) { return reader.port == 1; }))
            return std::nullopt;
        const Branches first = branchesOf(inputs[0]);
        const Branches second = branchesOf(inputs[1]);
        const bool isFirst = first.size() >= second.size();
        const Branches& longer = isFirst ? first : second;
        const Branches& other = isFirst ? second : first;
        if (longer.empty())
            return std::nullopt;
        const Branch side = longer.back();
        const Branches outside(longer.begin(), longer.end() - 1);
        const bool fits = other.size() == longer.size() ? side.isOpposite(other.back())
                                                        : isPrefix(other, outside);
        if (!fits)
            return std::nullopt;
        m_branches[id.value] = outside;
        const std::size_t whenTrue = side.isTrue == isFirst ? 0 : 1;
        NodeDraft draft = newNode(std::string(node.name()), "Select",
                                  {side.text, std::string(node.inputs()[whenTrue].text),
                                   std::string(node.inputs()[1 - whenTrue].text)});
        copyAttr(node, "T", draft);
        return draft;
    }

    GraphPtr m_graph;
    std::vector<Branches> m_branches; // by node
};

} // namespace

Result<GraphPtr> selectBranches(const GraphPtr& graph)
{
    return Selecting(graph).run();
}

} // namespace lapidary
