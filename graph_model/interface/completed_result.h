// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/first_readers.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace lapidary {

// Returns whether a value comes from a convolution or product, including later changes to it.
inline bool isLayerResult(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        if (opFamily(graph.node(id).op()) == OpFamily::HeavyMaths)
            return true;
        const auto inputs = graph.inputs(id);
        id = inputs.empty() || inputs[0].isControl() ? NodeId{} : inputs[0].node;
    }
    return false;
}

// Returns whether an op only joins or stores tensors or passes them to a function: it does not
// compare them.
inline bool gathersTensors(std::string_view op)
{
    return op.starts_with("Concat") || op == "Pack" || op.starts_with("TensorArray") ||
           callKind(op) != CallKind::None;
}

// Returns the inputs that a node could compare. The condition of a Select is not compared with its
// values: decoders choose zeros after the end of a sequence.
inline std::span<const Endpoint> comparedInputs(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    const bool chooses = isSelect(graph.node(id).op()) && !inputs.empty();
    return chooses ? inputs.subspan(1) : inputs;
}

// Returns whether a node adds fed data to the result of a layer, and other nodes compare the sum
// with other fed data, as when details are added to an enlarged picture: the sum is then the
// result, and the fed data are not a label. `isData` returns whether a node is fed and independent
// of weights. O(1): examines at most a thousand readers.
template <class IsData>
bool isCompletedResult(const Graph& graph, NodeId sum, IsData isData)
{
    const auto addsUp = [&](NodeId id) { return isAddition(graph.node(id).op()); };
    const auto addends = graph.inputs(sum);
    if (!addsUp(sum) || addends.size() < 2 ||
        std::ranges::any_of(addends, [](const Endpoint& from) { return !from.node.isValid(); }))
        return false;
    const bool isFirst = isData(addends[0].node);
    if (isFirst == isData(addends[1].node) || !isLayerResult(graph, addends[isFirst ? 1 : 0].node))
        return false;
    constexpr std::size_t mostOperands = 4; // of a comparison: a result, a label, their weights
    const auto isOtherData = [&](const Endpoint& from) {
        return from.node.isValid() && !from.isControl() && isData(from.node) &&
               from.node != addends[0].node && from.node != addends[1].node;
    };
    return std::ranges::any_of(firstReaders(graph, sum), [&](const Consumer& reader) {
        const auto inputs = graph.inputs(reader.node);
        return !reader.isControl() && !addsUp(reader.node) &&
               std::ranges::any_of(inputs.first(std::min(inputs.size(), mostOperands)),
                                   isOtherData);
    });
}

} // namespace lapidary
