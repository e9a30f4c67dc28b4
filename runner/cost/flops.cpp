#include "runner/cost/flops.h"

namespace lapidary {
namespace {

bool isConvolution(std::string_view op)
{
    return op == "Conv2D" || op == "QuantizedConv2D";
}

bool isProduct(std::string_view op)
{
    return op == "MatMul" || op == "QuantizedMatMul";
}

std::optional<std::int64_t> sizeAt(const Shape& shape, std::size_t rank, std::size_t axis)
{
    if (shape.unknownRank || shape.dims.size() != rank || shape.dims[axis] < 0)
        return std::nullopt;
    return shape.dims[axis];
}

} // namespace

bool hasFlops(std::string_view op)
{
    return isConvolution(op) || isProduct(op) || op == "DepthwiseConv2dNative";
}

std::optional<std::int64_t> flopsOf(const Node& node, std::span<const Shape> inputs,
                                    const Shape& output)
{
    const std::string_view op = node.op();
    if (!hasFlops(op))
        return 0;
    if (inputs.size() < 2 || output.unknownRank)
        return std::nullopt;
    std::optional<std::int64_t> factors[] = {elementCount(output), 2, 1, 1, 1};
    if (isProduct(op)) {
        const bool turns = node.attr("transpose_a").asBool().value_or(false);
        factors[2] = sizeAt(inputs[0], 2, turns ? 0 : 1);
    } else {
        factors[2] = sizeAt(inputs[1], 4, 0);
        factors[3] = sizeAt(inputs[1], 4, 1);
        if (isConvolution(op))
            factors[4] = sizeAt(inputs[1], 4, 2);
    }
    std::int64_t flops = 1;
    for (const auto& factor : factors)
        if (!factor || __builtin_mul_overflow(flops, *factor, &flops))
            return std::nullopt;
    return flops;
}

} // namespace lapidary
