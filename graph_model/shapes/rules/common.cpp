// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/rules/common.h"

#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary::shape_rules {

void same(RuleContext& context)
{
    context.setAll(context.input(0));
}

void sameEach(RuleContext& context)
{
    for (std::size_t i = 0; i < context.outputCount(); ++i)
        context.set(i, context.input(i));
}

void broadcast(RuleContext& context)
{
    context.setAll(broadcastShape(context, context.input(0), context.input(1)));
}

void scalars(RuleContext& context)
{
    context.setAll(Shape{});
}

void nothing(RuleContext&) {}

void shapeOperand(RuleContext& context)
{
    context.set(0, context.shapeFrom(0));
}

void unknownVector(RuleContext& context)
{
    context.setAll(unknownDims(1));
}

void ownShape(RuleContext& context)
{
    context.set(0, context.attrs().shape("shape"));
}

const HandleFacts* variableBehind(RuleContext& context)
{
    const HandleFacts* facts = context.handle(0);
    const auto read = context.node().attr("dtype").asType();
    if (facts != nullptr && read && facts->dtype != DType::Invalid && facts->dtype != *read)
        context.fail("takes a variable of " + dtypeName(facts->dtype) + " for one of " +
                     dtypeName(*read));
    return facts;
}

const Shape& shapeBehind(const RuleContext& context, std::size_t input)
{
    const HandleFacts* handle = context.handle(input);
    return handle != nullptr ? handle->shape : context.input(input);
}

std::int64_t windowed(RuleContext& context, std::int64_t size, const Window& window,
                      std::string_view padding)
{
    if (window.stride <= 0) {
        context.fail("Stride must be > 0, but got " + std::to_string(window.stride));
        return unknownDim;
    }
    if (window.dilation < 1) {
        context.fail("Dilation rate must be >= 1, but got " + std::to_string(window.dilation));
        return unknownDim;
    }
    if (padding == "SAME")
        return size < 0 ? unknownDim : size / window.stride + (size % window.stride != 0);
    if (padding != "VALID" && padding != "EXPLICIT") {
        context.fail("padding is '" + std::string(padding) + "', not SAME, VALID or EXPLICIT");
        return unknownDim;
    }
    if (size < 0 || window.filter == unknownDim)
        return unknownDim;
    const std::int64_t effective = sum(
        context, product(context, std::max<std::int64_t>(window.filter - 1, 0), window.dilation),
        window.filter < 1 ? window.filter : 1);
    std::int64_t padded = size;
    if (padding == "EXPLICIT")
        padded = sum(context, size, sum(context, window.before, window.after));
    if (window.mayHaveNoPlace && effective >= 0 && padded < effective &&
        (effective - padded) / 2 < window.stride)
        return 0;
    const std::int64_t rest = difference(context, padded, effective);
    return rest < 0 ? unknownDim : sum(context, rest / window.stride, 1);
}

ImageAxes imageAxes(std::string_view dataFormat, std::size_t rank)
{
    const bool isChannelFirst = dataFormat.substr(0, 2) == "NC";
    return {.channel = isChannelFirst ? 1 : rank - 1, .firstSpatial = isChannelFirst ? 2U : 1U};
}

std::optional<std::size_t> axisFrom(RuleContext& context, std::size_t operand, const Shape& shape,
                                    std::int64_t extra)
{
    const auto axis = context.scalar(operand);
    if (!axis || shape.unknownRank)
        return std::nullopt;
    const std::int64_t rank = std::int64_t(shape.dims.size()) + extra;
    if (*axis < -rank || *axis >= rank) {
        context.fail("Dimension " + std::to_string(*axis) + " is not in the range [" +
                     std::to_string(-rank) + ", " + std::to_string(rank) + ")");
        return std::nullopt;
    }
    return std::size_t(*axis < 0 ? *axis + rank : *axis);
}

} // namespace lapidary::shape_rules
