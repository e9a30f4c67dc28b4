// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/shapes/shape_facts.h"
#include "graph_model/shapes/value_folder.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The known facts about the tensors of a graph while it is lifted: shapes, types, and the values of
// those that determine sizes. Foreign files often declare only their inputs and constants.
class LiftedStates {
public:
    LiftedStates()
        : m_folder(FoldKernel())
    {
    }

    // Adds one of TensorFlow's nodes; its inputs must have been added before. Outputs without a
    // rule stay unknown.
    void add(const Node& node);
    void set(const std::string& node, std::vector<TensorState> outputs);
    // Returns the state of an output of a node, and adds it if it does not exist.
    TensorState& output(const std::string& node, std::size_t port);
    void rename(const std::string& from, const std::string& to);
    // `tensor`: "x" or "x:1". Returns null if nothing is known.
    const TensorState* find(std::string_view tensor) const;

private:
    ValueFolder m_folder;
    std::map<std::string, std::vector<TensorState>, std::less<>> m_states; // by node
};

} // namespace lapidary
