// SPDX-License-Identifier: Apache-2.0
// Shapes that contradict each other, by the rules that say the shapes of a whole graph.
#include "graph_model/binding/node_signature.h"
#include "graph_model/check/check_context.h"
#include "graph_model/shapes/inferred_shapes.h"

#include <algorithm>

namespace lapidary {
namespace {

// "[2,3] and [4]": the shapes of the data inputs, the first few of many.
std::string inputShapes(const CheckContext& context, const InferredShapes& shapes, NodeId id)
{
    constexpr std::size_t mostNamed = 4;
    std::string text;
    std::size_t count = 0;
    for (const Endpoint& from : context.graph.inputs(id)) {
        if (from.isControl())
            continue;
        if (++count > mostNamed)
            return text + ", ...";
        const TensorLabel* label = shapes.find(from);
        text += count > 1 ? ", " : "";
        text += label == nullptr ? "?" : shapeText(label->shape);
    }
    return text;
}

// Returns whether the node's inputs are as many as its op takes; where they are not, that was
// reported.
bool isWired(const CheckContext& context, NodeId id)
{
    const OpSpec* spec = context.specs[id.value];
    const auto inputs = context.graph.inputs(id);
    const auto isData = [](const Endpoint& from) { return !from.isControl(); };
    return spec != nullptr && inputLength(context.graph.node(id), *spec).value_or(-1) ==
                                  std::int64_t(std::ranges::count_if(inputs, isData));
}

} // namespace

void checkShapes(CheckContext& context)
{
    if (context.place.isBody)
        return;
    const auto shapes = propagateShapes(context.graph, {}, {}, context.job);
    if (!shapes.ok())
        return;
    for (const ShapeConflict& conflict : shapes->conflicts())
        if (isWired(context, conflict.node) && !context.isFaulty[conflict.node.value]) {
            const std::string inputs = inputShapes(context, *shapes, conflict.node);
            // TensorFlow looks into functions only when it runs them.
            const bool isInside = conflict.message.starts_with("calls ");
            context.report("shape_mismatch",
                           isInside ? Severity::Warning : context.againstRegistry(), conflict.node,
                           "Shapes contradict each other: " + conflict.message +
                               (inputs.empty() ? "" : " (its inputs are " + inputs + ")"));
        }
}

} // namespace lapidary
