// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"
#include "transforms/sparse/column_weights.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Finds the nodes to remove with some weights: those that only set or inspect them. A ConcatV2
// loses an input, Assign and the like are removed with their operand. Nothing that the outputs need
// is removed: such weights are kept.
class WeightRemoval {
public:
    WeightRemoval(const Graph& graph, const PassArgs& args,
                  const std::vector<ColumnWeight>& weights);

    // Takes out a weight and its Identity nodes, whose gathers do not read them any more. Says why
    // it cannot be, and then changes nothing.
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
        std::vector<NodeId> released; // readers that were counted off, once for each
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
    Undo m_undo;                  // of the weight of the last call
    std::vector<bool> m_isGather; // of that weight
};

} // namespace lapidary
