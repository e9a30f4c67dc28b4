// SPDX-License-Identifier: Apache-2.0
#include "runner/cost/flops.h"

#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

std::optional<std::int64_t> sizeAt(const Shape& shape, std::size_t rank, std::size_t axis)
{
    if (shape.unknownRank || shape.dims.size() != rank || shape.dims[axis] < 0)
        return std::nullopt;
    return shape.dims[axis];
}

} // namespace

bool hasFlops(std::string_view op)
{
    return workKind(op) != WorkKind::None;
}

std::optional<std::int64_t> flopsOf(const Node& node, std::span<const Shape> inputs,
                                    const Shape& output)
{
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

} // namespace lapidary
