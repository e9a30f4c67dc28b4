// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/first_readers.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {

// Tells whether a value comes out of a convolution or product, whatever was done to it behind it.
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

// Tells whether an op only brings tensors together, or hands them to a function: it compares none
// of them with another.
inline bool gathersTensors(std::string_view op)
{
    return op.starts_with("Concat") || op == "Pack" || callKind(op) != CallKind::None;
}

// Tells whether a node adds what is fed to what a layer computed, and others compare the sum with
// something else that is fed, as details are added to a picture that was enlarged before: the sum
// is the result, not what is fed a label. `isData` says of a node whether it is fed, untouched by
// any weight. O(1): looks at a thousand readers at most.
template <class IsData>
bool isCompletedResult(const Graph& graph, NodeId sum, IsData isData)
{
    const auto isAddition = [&](NodeId id) {
        const std::string_view op = graph.node(id).op();
        return op == "Add" || op == "AddV2";
    };
    const auto addends = graph.inputs(sum);
    if (!isAddition(sum) || addends.size() < 2 ||
        std::ranges::any_of(addends, [](const Endpoint& from) { return !from.node.isValid(); }))
        return false;
    const bool isFirst = isData(addends[0].node);
    if (isFirst == isData(addends[1].node) || !isLayerResult(graph, addends[isFirst ? 1 : 0].node))
        return false;
    constexpr std::size_t mostOperands = 4; // of what compares: a result, a label, their weights
    const auto isOtherData = [&](const Endpoint& from) {
        return from.node.isValid() && !from.isControl() && isData(from.node) &&
               from.node != addends[0].node && from.node != addends[1].node;
    };
    return std::ranges::any_of(firstReaders(graph, sum), [&](const Consumer& reader) {
        const auto inputs = graph.inputs(reader.node);
        return !reader.isControl() && !isAddition(reader.node) &&
               std::ranges::any_of(inputs.first(std::min(inputs.size(), mostOperands)),
                                   isOtherData);
    });
}

} // namespace lapidary
