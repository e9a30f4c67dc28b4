// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"
#include "transforms/sparse/column_weights.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Finds the nodes to remove together with weights: those that only set or inspect them. A ConcatV2
// loses an input; Assign and the like are removed with their operand. Weights are kept if the
// outputs need one of these nodes.
class WeightRemoval {
public:
    WeightRemoval(const Graph& graph, const PassArgs& args,
                  const std::vector<ColumnWeight>& weights);

    // Removes a weight and its Identity nodes; its gathers no longer read them. If that is
    // impossible, changes nothing and returns the reason.
    std::string remove(const ColumnWeight& weight);

    const std::vector<bool>& isGone() const { return m_state.isGone; }
    // Nodes that stay with fewer inputs.
    const std::map<NodeId, NodeDraft>& changed() const { return m_state.changed; }

private:
    struct State {
        std::vector<bool> isGone;
        std::vector<std::size_t> readers;
        std::map<NodeId, NodeDraft> changed;
        std::vector<NodeId> open;
    };
    // The changes of a removal that turns out to be impossible.
    struct Undo {
        std::vector<NodeId> gone;
        std::vector<NodeId> released; // nodes that lost a reader, once for each reader
        std::map<NodeId, std::optional<NodeDraft>> changed; // as they were
    };
    void countOff(NodeId producer);
    // Called before a draft is made, replaced or dropped.
    void keepDraft(NodeId id);
    void undo();

    void findNeeded(const PassArgs& args, const std::vector<ColumnWeight>& weights);
    std::string condemn(NodeId id);
    std::string dropInput(NodeId reader, NodeId gone);
    std::string settle(NodeId id, NodeDraft& draft);
    std::string shrinkConcat(NodeId id, NodeDraft& draft);
    std::string release(NodeId producer);

    const Graph& m_graph;
    std::vector<bool> m_isNeeded;
    std::vector<bool> m_isFixed; // part of the interface, or a converted gather
    State m_state;
    Undo m_undo;                  // of the last call of remove()
    std::vector<bool> m_isGather; // gathers of the weight of that call
};

} // namespace lapidary
