// SPDX-License-Identifier: Apache-2.0
#include "runner/cost/flops.h"

#include "graph_model/ops/backward_work.h"
#include "graph_model/ops/op_traits.h"

#include <array>
#include <vector>

namespace lapidary {
namespace {

std::optional<std::int64_t> sizeAt(const Shape& shape, std::size_t rank, std::size_t axis)
{
    if (shape.unknownRank || shape.dims.size() != rank || shape.dims[axis] < 0)
        return std::nullopt;
    return shape.dims[axis];
}

// Returns nothing if a size is unknown or the product does not fit.
std::optional<std::int64_t> productOfKnown(std::span<const std::int64_t> sizes)
{
    std::int64_t product = 1;
    for (const std::int64_t size : sizes)
        if (size < 0 || __builtin_mul_overflow(product, size, &product))
            return std::nullopt;
    return product;
}

// Returns as many operations as for the convolution: each element of the incoming gradient is
// multiplied by all elements of the filter that made it.
std::optional<std::int64_t> backwardFlops(BackwardWork work, std::span<const Shape> inputs,
                                          const Shape& output)
{
    if (inputs.size() < 3)
        return std::nullopt;
    const bool isDepthwise =
        work == BackwardWork::DepthwiseData || work == BackwardWork::DepthwiseFilter;
    const bool givesFilter = work == BackwardWork::Filter || work == BackwardWork::DepthwiseFilter;
    const Shape& filter = givesFilter ? output : inputs[1];
    const std::size_t channels = isDepthwise ? 2 : 1; // number of last axes with output channels
    if (filter.unknownRank || filter.dims.size() < channels || inputs[2].unknownRank)
        return std::nullopt;
    const auto taps = productOfKnown(std::span(filter.dims).first(filter.dims.size() - channels));
    const auto back = elementCount(inputs[2]);
    return taps && back ? productOfKnown(std::array{*taps, *back, std::int64_t(2)}) : std::nullopt;
}

} // namespace

bool hasFlops(std::string_view op)
{
    return workKind(op) != WorkKind::None || backwardWork(op) != BackwardWork::None;
}

std::optional<std::int64_t> flopsOf(const Node& node, std::span<const Shape> inputs,
                                    const Shape& output)
{
    if (const BackwardWork work = backwardWork(node.op()); work != BackwardWork::None)
        return backwardFlops(work, inputs, output);
    const WorkKind kind = workKind(node.op());
    if (kind == WorkKind::None)
        return 0;
    if (inputs.size() < 2 || output.unknownRank)
        return std::nullopt;
    std::optional<std::int64_t> factors[] = {elementCount(output), 2, 1, 1, 1};
    if (kind == WorkKind::Product) {
        const bool turns = node.attr("transpose_a").asBool().value_or(false);
        factors[2] = sizeAt(inputs[0], 2, turns ? 0 : 1);
    } else {
        factors[2] = sizeAt(inputs[1], 4, 0);
        factors[3] = sizeAt(inputs[1], 4, 1);
        if (kind == WorkKind::Convolution)
            factors[4] = sizeAt(inputs[1], 4, 2);
    }
    std::int64_t flops = 1;
    for (const auto& factor : factors)
        if (!factor || __builtin_mul_overflow(flops, *factor, &flops))
            return std::nullopt;
    return flops;
}

std::optional<std::int64_t> flopsAt(const Graph& graph, const InferredShapes& shapes, NodeId id)
{
    const Node& node = graph.node(id);
    if (!hasFlops(node.op()))
        return 0;
    std::vector<Shape> inputs;
    for (const Endpoint& from : graph.inputs(id)) {
        const TensorLabel* label = shapes.find(from);
        inputs.push_back(label != nullptr ? label->shape : unknownShape());
    }
    const TensorLabel* output = shapes.find({id, 0});
    return flopsOf(node, inputs, output != nullptr ? output->shape : unknownShape());
}

} // namespace lapidary
