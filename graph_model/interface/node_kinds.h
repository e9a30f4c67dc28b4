// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/held_data.h"
#include "graph_model/interface/trained_constants.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// Flags of every node of a graph that are needed often, computed once for each op. `Kinds` is a
// struct of flags, false by default, with isVariable and isSource among them. The graph must
// outlive this object.
template <class Kinds>
class NodeKinds {
public:
    // `kindsOf` returns the Kinds for the name of an op.
    template <class KindsOf>
    NodeKinds(const Graph& graph, const KindsOf& kindsOf)
    {
        m_variable.isVariable = true;
        m_held.isSource = true;
        m_ofNode.reserve(graph.size());
        for (const NodePtr& node : graph.nodes()) {
            const auto [at, isNew] = m_ofOp.try_emplace(node->op());
            if (isNew)
                at->second = kindsOf(node->op());
            m_ofNode.push_back(&at->second);
        }
    }
    NodeKinds(const NodeKinds&) = delete;
    NodeKinds& operator=(const NodeKinds&) = delete;

    const Kinds& operator[](std::size_t node) const { return *m_ofNode[node]; }
    bool hasOp(bool Kinds::*flag) const
    {
        return std::ranges::any_of(m_ofOp, [&](const auto& op) { return op.second.*flag; });
    }

    // Makes a node count as a variable, regardless of its op.
    void countAsVariable(NodeId node) { m_ofNode[node.value] = &m_variable; }
    // Makes trained constants count as variables, and examples in the graph as sources.
    void countStoredValues(const Graph& graph)
    {
        for (const NodeId node : trainedConstants(graph))
            countAsVariable(node);
        for (const NodeId node : heldData(graph))
            m_ofNode[node.value] = &m_held;
    }

private:
    std::unordered_map<std::string_view, Kinds> m_ofOp;
    Kinds m_variable;
    Kinds m_held;
    std::vector<const Kinds*> m_ofNode;
};

} // namespace lapidary
