// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <set>
#include <utility>
#include <vector>

namespace lapidary {

// The inputs and outputs of a pass as nodes and ports of its graph: what would be fed and fetched.
class FoldRequest {
public:
    // Errors: a name or port that the graph does not have, the same text twice among the inputs, no
    // outputs.
    static Result<FoldRequest> make(const Graph& graph, const PassArgs& args);

    const std::vector<NodeId>& inputs() const { return m_inputs; } // each once, as listed
    // Nodes without tensors as control endpoints.
    const std::vector<Endpoint>& outputs() const { return m_outputs; }
    bool isInput(NodeId id) const { return m_isInput[id.value]; }
    // Returns whether the tensor is fed. A placeholder's control edges come with the
    // feed.
    bool isFed(const Graph& graph, const Endpoint& from) const;

    static bool isPlaceholder(const Node& node);

private:
    std::set<std::pair<NodeId, std::int32_t>> m_fed;
    std::vector<NodeId> m_inputs;
    std::vector<bool> m_isInput;
    std::vector<Endpoint> m_outputs;
};

} // namespace lapidary
