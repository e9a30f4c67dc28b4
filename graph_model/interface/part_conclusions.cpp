// SPDX-License-Identifier: Apache-2.0
// Continues a network after its last layer: activations, other forms of its results, and nodes that
// join them.
#include "graph_model/interface/completed_result.h"
#include "graph_model/interface/output_signs.h"
#include "graph_model/interface/part_finder.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

bool isForm(std::string_view op)
{
    return keepsElements(op) || convertsElements(op) || isPassThrough(op) || op == "Transpose";
}

// Returns whether the op passes on the flow of an array in a loop, from one iteration to the next
// and out of the loop.
bool passesFlow(std::string_view op)
{
    return isNextIteration(op) || isMerge(op) || isSwitch(op) || isExit(op) || isPassThrough(op) ||
           writesArray(op);
}

// Returns the nodes that gather what a node writes into an array in each iteration of a loop.
std::vector<NodeId> gatheredFrom(const Graph& graph, NodeId write)
{
    constexpr std::size_t farEnough = 64; // nodes
    std::vector<NodeId> open{write};
    std::vector<NodeId> gathered;
    for (std::size_t i = 0; i < open.size() && open.size() < farEnough; ++i)
        for (const Consumer& reader : graph.consumers(open[i])) {
            const std::string_view op = graph.node(reader.node).op();
            if (reader.isControl())
                continue;
            if (gathersArray(op))
                gathered.push_back(reader.node);
            else if (passesFlow(op) && std::ranges::find(open, reader.node) == open.end())
                open.push_back(reader.node);
        }
    return gathered;
}

} // namespace

// Returns the node of the network from which a value comes, unchanged except for its form or for
// zeros in its place, as after the end of a sequence; invalid if there is none.
NodeId PartFinder::networkBehind(const Endpoint& input, const NodeFlags& network) const
{
    constexpr int farEnough = 6;
    NodeId id = input.isControl() ? NodeId{} : input.node;
    const auto isComputed = [this](const Endpoint& value) {
        return !value.isControl() && value.node.isValid() && m_content[value.node.value] &&
               m_weighted[value.node.value];
    };
    for (int hop = 0; hop < farEnough && id.isValid() && !network[id.value]; ++hop) {
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        const bool chooses = isSelect(op) && inputs.size() >= 3;
        if ((!isForm(op) && !chooses) || inputs.empty() || inputs[0].isControl())
            return {};
        id = !chooses ? inputs[0].node : inputs[isComputed(inputs[2]) ? 2 : 1].node;
    }
    const bool isResult =
        id.isValid() && network[id.value] && m_content[id.value] && m_weighted[id.value];
    return isResult ? id : NodeId{};
}

// Returns whether a node belongs to the network because its input does: activations and selections
// of the best always do, other forms only if nothing else is computed from them.
bool PartFinder::concludesNetwork(NodeId id, const NodeFlags& network) const
{
    if (network[id.value] || m_isSettled[id.value] || m_measured[id.value] ||
        m_kinds[id.value].asksForSize)
        return false;
    const std::string_view op = m_graph.node(id).op();
    const auto readers = m_graph.consumers(id);
    const bool serves = std::ranges::any_of(readers, [this](const Consumer& reader) {
        return !reader.isControl() && m_gradients[reader.node.value];
    });
    const bool isOnlyAwaited =
        !readers.empty() && std::ranges::all_of(readers, &Consumer::isControl);
    if (isOnlyAwaited || (serves && op == "LogSoftmax") || (isForm(op) && !readers.empty()))
        return false;
    const auto inputs = m_graph.inputs(id);
    // A weight, or a value computed only from weights, such as the factors of a batch
    // normalization.
    const auto isParameter = [&](const Endpoint& input) {
        if (!input.node.isValid() || input.isControl())
            return false;
        const std::size_t from = input.node.value;
        return m_weighted[from] && !m_content[from] && (m_learned[from] || !m_trains);
    };
    const auto comesFromNetwork = [&](const Endpoint& input) {
        return networkBehind(input, network).isValid();
    };
    const OpKinds& kinds = m_kinds[id.value];
    const bool concludes =
        kinds.concludes || poolsSpace(m_graph, id) ||
        (kinds.joins && inputs.size() > 1 && std::ranges::all_of(inputs, comesFromNetwork)) ||
        (inputs.size() == 2 && isParameter(inputs[1]));
    return concludes && !inputs.empty() && comesFromNetwork(inputs[0]);
}

// If labels are known, probabilities that do not depend on them are predictions, whatever the
// network ends with: two towers may only meet after their layers, in an angle. Those of a reshaped
// result are computed again for the loss.
bool PartFinder::isProbability(NodeId id, const NodeFlags& network) const
{
    constexpr int farEnough = 12;
    const std::string_view op = m_graph.node(id).op();
    if (!m_hasLabels || (op != "Sigmoid" && op != "Softmax") || !m_content[id.value] ||
        !m_weighted[id.value] || m_measured[id.value] || m_steered[id.value])
        return false;
    NodeId at = id;
    for (int hop = 0; hop < farEnough; ++hop) {
        const auto inputs = m_graph.inputs(at);
        if (network[at.value] || inputs.empty() || !inputs[0].node.isValid())
            return false;
        const std::string_view from = m_graph.node(at).op();
        if (hop > 0 && !isForm(from) && !gathersTensors(from) && !takesPart(from))
            return true;
        at = inputs[0].node;
    }
    return false;
}

// Continues the network with what a loop gathers of its results, as a decoder does whose last layer
// is in the loop. Returns whether there is any.
bool PartFinder::followLoops(NodeFlags& network) const
{
    std::vector<NodeId> gathered;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
        const NodeId id{i};
        const auto inputs = m_graph.inputs(id);
        constexpr std::size_t written = 2; // after the array and the index
        if (!writesArray(m_graph.node(id).op()) || inputs.size() <= written || network[i] ||
            m_isSettled[i] || m_measured[i] || !networkBehind(inputs[written], network).isValid())
            continue;
        for (const NodeId found : gatheredFrom(m_graph, id)) {
            gathered.push_back(found);
            for (const Consumer& reader : m_graph.consumers(found)) // brings the examples first
                if (m_graph.node(reader.node).op() == "Transpose")
                    gathered.push_back(reader.node);
        }
    }
    growUp(gathered, network);
    return !gathered.empty();
}

void PartFinder::conclude(NodeFlags& network) const
{
    const auto followResults = [&] {
        for (const NodeId id : m_order)
            if (concludesNetwork(id, network))
                growUp({id}, network);
    };
    followResults();
    if (followLoops(network))
        followResults();
    std::vector<NodeId> apart;
    for (std::uint32_t i = 0; i < m_graph.size(); ++i)
        if (isProbability(NodeId{i}, network))
            apart.push_back(NodeId{i});
    if (apart.empty())
        return;
    growUp(std::move(apart), network);
    followResults();
}

} // namespace lapidary
