#include "graph_model/check/shape_rules.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Dims = std::vector<std::int64_t>;
using Inputs = std::span<const ShapeInput>;

std::string text(const Dims& dims)
{
    return shapeText(Shape{dims, false});
}

ShapeVerdict conflict(std::string why)
{
    return {std::nullopt, std::move(why)};
}

bool differ(std::int64_t a, std::int64_t b)
{
    return a >= 0 && b >= 0 && a != b;
}

// One of two sizes that have to be equal; the known one.
std::int64_t merged(std::int64_t a, std::int64_t b)
{
    return a >= 0 ? a : b;
}

ShapeVerdict same(const Node&, Inputs inputs)
{
    return {inputs[0].shape, ""};
}

ShapeVerdict broadcast(const Node&, Inputs inputs)
{
    if (!inputs[0].shape || !inputs[1].shape)
        return {};
    const Dims& a = *inputs[0].shape;
    const Dims& b = *inputs[1].shape;
    Dims out(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (differ(x, y) && x != 1 && y != 1)
            return conflict("its inputs " + text(a) + " and " + text(b) + " do not broadcast");
        out[out.size() - 1 - i] = x == 1 ? y : y == 1 ? x : merged(x, y);
    }
    return {out, ""};
}

ShapeVerdict allEqual(const Node&, Inputs inputs)
{
    KnownShape out;
    for (const ShapeInput& input : inputs) {
        if (!input.shape)
            continue;
        if (!out) {
            out = input.shape;
            continue;
        }
        if (out->size() != input.shape->size() ||
            !std::ranges::equal(*out, *input.shape,
                                [](std::int64_t a, std::int64_t b) { return !differ(a, b); }))
            return conflict("its inputs " + text(*out) + " and " + text(*input.shape) +
                            " must have one shape");
        std::ranges::transform(*out, *input.shape, out->begin(), merged);
    }
    return {out, ""};
}

ShapeVerdict biasAdd(const Node& node, Inputs inputs)
{
    const KnownShape& value = inputs[0].shape;
    const KnownShape& bias = inputs[1].shape;
    if (bias && bias->size() != 1)
        return conflict("its bias " + text(*bias) + " must be a vector");
    if (!value || !bias)
        return {};
    const bool channelsFirst = node.attr("data_format").asString().value_or("") == "NCHW";
    if (value->size() < (channelsFirst ? 3U : 2U))
        return conflict("its input " + text(*value) + " has too few dimensions for a bias");
    const std::size_t channel = channelsFirst ? 1 : value->size() - 1;
    if (differ((*value)[channel], (*bias)[0]))
        return conflict("its input " + text(*value) + " has not the channels of its bias " +
                        text(*bias));
    Dims out = *value;
    out[channel] = merged(out[channel], (*bias)[0]);
    return {out, ""};
}

ShapeVerdict matMul(const Node& node, Inputs inputs)
{
    for (std::size_t i = 0; i < 2; ++i)
        if (inputs[i].shape && inputs[i].shape->size() != 2)
            return conflict("its input " + text(*inputs[i].shape) + " must be a matrix");
    const Dims unknown{-1, -1};
    Dims a = inputs[0].shape.value_or(unknown);
    Dims b = inputs[1].shape.value_or(unknown);
    const std::string shapes = text(a) + " and " + text(b);
    if (node.attr("transpose_a").asBool().value_or(false))
        std::swap(a[0], a[1]);
    if (node.attr("transpose_b").asBool().value_or(false))
        std::swap(b[0], b[1]);
    if (differ(a[1], b[0]))
        return conflict("its inputs " + shapes + " cannot be multiplied: " + std::to_string(a[1]) +
                        " and " + std::to_string(b[0]) + " must be equal");
    return {Dims{a[0], b[1]}, ""};
}

ShapeVerdict concatAlong(std::int64_t axis, Inputs parts)
{
    KnownShape out;
    bool allKnown = true;
    for (const ShapeInput& part : parts) {
        allKnown = allKnown && part.shape.has_value();
        if (!part.shape)
            continue;
        const auto rank = std::int64_t(part.shape->size());
        if (axis >= std::max<std::int64_t>(rank, 1) || axis < -std::max<std::int64_t>(rank, 1))
            return conflict("it joins along axis " + std::to_string(axis) + ", which its input " +
                            text(*part.shape) + " does not have");
        if (!out) {
            out = part.shape;
            continue;
        }
        if (out->size() != part.shape->size())
            return conflict("its inputs " + text(*out) + " and " + text(*part.shape) +
                            " have different ranks");
        const std::int64_t joined = axis < 0 ? axis + rank : axis;
        for (std::int64_t i = 0; i < rank; ++i) {
            std::int64_t& size = (*out)[std::size_t(i)];
            const std::int64_t other = (*part.shape)[std::size_t(i)];
            if (i == joined)
                size = size < 0 || other < 0 ? -1 : size + other;
            else if (differ(size, other))
                return conflict("its inputs have sizes " + std::to_string(size) + " and " +
                                std::to_string(other) + " in dimension " + std::to_string(i));
            else
                size = merged(size, other);
        }
    }
    return {allKnown ? out : KnownShape(), ""};
}

ShapeVerdict concat(const Node& node, Inputs inputs)
{
    const bool axisFirst = node.op() == "Concat";
    const ShapeInput& axis = axisFirst ? inputs.front() : inputs.back();
    const Inputs parts = axisFirst ? inputs.subspan(1) : inputs.first(inputs.size() - 1);
    if (!axis.values || axis.values->size() != 1 || (axisFirst && (*axis.values)[0] < 0))
        return {};
    return concatAlong((*axis.values)[0], parts);
}

// The product of sizes that are all known; nothing on overflow.
std::optional<std::int64_t> product(const Dims& dims)
{
    std::int64_t count = 1;
    for (const std::int64_t dim : dims)
        if (dim < 0 || __builtin_mul_overflow(count, dim, &count))
            return std::nullopt;
    return count;
}

ShapeVerdict reshape(const Node&, Inputs inputs)
{
    if (!inputs[1].values)
        return {};
    Dims wanted = *inputs[1].values;
    const auto open = std::ranges::count(wanted, -1);
    if (open > 1 || std::ranges::any_of(wanted, [](std::int64_t dim) { return dim < -1; }))
        return conflict("it asks for the shape " + text(wanted));
    const auto given = inputs[0].shape ? product(*inputs[0].shape) : std::nullopt;
    if (!given)
        return {wanted, ""};
    Dims fixed = wanted;
    std::erase(fixed, -1);
    const auto count = product(fixed);
    const bool fits = !count || (open == 0     ? *count == *given
                                 : *count == 0 ? *given == 0
                                               : *given % *count == 0);
    if (!fits)
        return conflict("its input " + text(*inputs[0].shape) + " with " + std::to_string(*given) +
                        " elements cannot have the shape " + text(wanted));
    if (open == 1 && count && *count > 0)
        *std::ranges::find(wanted, -1) = *given / *count;
    return {wanted, ""};
}

// Only ranks and channels; sizes of the picture are left unknown.
ShapeVerdict conv2D(const Node& node, Inputs inputs)
{
    const bool isPlain = node.attr("data_format").asString().value_or("NHWC") == "NHWC";
    for (std::size_t i = 0; i < 2; ++i)
        if (isPlain && inputs[i].shape && inputs[i].shape->size() != 4)
            return conflict("its input " + text(*inputs[i].shape) + " must have 4 dimensions");
    if (!isPlain || !inputs[0].shape || !inputs[1].shape)
        return {};
    const Dims& value = *inputs[0].shape;
    const Dims& filter = *inputs[1].shape;
    const std::int64_t depth = filter[2];
    if (value[3] >= 0 && depth > 0 && value[3] % depth != 0)
        return conflict("its input " + text(value) + " has not the channels of its filter " +
                        text(filter));
    return {Dims{value[0], -1, -1, filter[3]}, ""};
}

struct ShapeRule {
    std::string_view op;
    std::size_t fewestInputs;
    ShapeVerdict (*apply)(const Node&, Inputs);
};

constexpr std::array rules{
    ShapeRule{"Abs", 1, same},          ShapeRule{"Add", 2, broadcast},
    ShapeRule{"AddN", 1, allEqual},     ShapeRule{"AddV2", 2, broadcast},
    ShapeRule{"BiasAdd", 2, biasAdd},   ShapeRule{"Cast", 1, same},
    ShapeRule{"Ceil", 1, same},         ShapeRule{"Concat", 2, concat},
    ShapeRule{"ConcatV2", 2, concat},   ShapeRule{"Conv2D", 2, conv2D},
    ShapeRule{"Elu", 1, same},          ShapeRule{"Erf", 1, same},
    ShapeRule{"Exp", 1, same},          ShapeRule{"Floor", 1, same},
    ShapeRule{"Identity", 1, same},     ShapeRule{"LeakyRelu", 1, same},
    ShapeRule{"Log", 1, same},          ShapeRule{"LogSoftmax", 1, same},
    ShapeRule{"MatMul", 2, matMul},     ShapeRule{"Maximum", 2, broadcast},
    ShapeRule{"Minimum", 2, broadcast}, ShapeRule{"Mul", 2, broadcast},
    ShapeRule{"Neg", 1, same},          ShapeRule{"RealDiv", 2, broadcast},
    ShapeRule{"Reciprocal", 1, same},   ShapeRule{"Relu", 1, same},
    ShapeRule{"Relu6", 1, same},        ShapeRule{"Reshape", 2, reshape},
    ShapeRule{"Round", 1, same},        ShapeRule{"Rsqrt", 1, same},
    ShapeRule{"Selu", 1, same},         ShapeRule{"Sigmoid", 1, same},
    ShapeRule{"Snapshot", 1, same},     ShapeRule{"Softmax", 1, same},
    ShapeRule{"Softplus", 1, same},     ShapeRule{"Sqrt", 1, same},
    ShapeRule{"Square", 1, same},       ShapeRule{"SquaredDifference", 2, broadcast},
    ShapeRule{"StopGradient", 1, same}, ShapeRule{"Sub", 2, broadcast},
    ShapeRule{"Tanh", 1, same},
};

const ShapeRule* ruleOf(std::string_view op)
{
    const auto* at = std::ranges::lower_bound(rules, op, {}, &ShapeRule::op);
    return at != rules.end() && at->op == op ? at : nullptr;
}

} // namespace

bool hasShapeRule(std::string_view op)
{
    return ruleOf(op) != nullptr;
}

ShapeVerdict applyShapeRule(const Node& node, std::span<const ShapeInput> inputs)
{
    const ShapeRule* rule = ruleOf(node.op());
    return rule == nullptr || inputs.size() < rule->fewestInputs ? ShapeVerdict()
                                                                 : rule->apply(node, inputs);
}

} // namespace lapidary
