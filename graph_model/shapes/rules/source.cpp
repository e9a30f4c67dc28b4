// SPDX-License-Identifier: Apache-2.0
// Nodes whose attributes determine the shape, and sequences of numbers.
#include "graph_model/base/clamped_cast.h"
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/tensor/tensor_layout.h"

#include <cmath>

namespace lapidary {
namespace {

using namespace shape_rules;

// Up to this graph version an attribute `shape` without sizes meant an unknown shape.
constexpr std::int32_t lastVersionOfShapelessPlaceholders = 21;

void constant(RuleContext& context)
{
    const auto proto = context.attrs().tensorProto("value");
    if (!proto)
        return;
    const Shape shape = tensorProtoShape(*proto);
    if (const std::string fault = fullShapeFault(shape); !fault.empty())
        context.fail(fault);
    else
        context.set(0, shape);
}

void placeholder(RuleContext& context)
{
    const Shape shape = context.attrs().shape("shape");
    if (context.producer() > lastVersionOfShapelessPlaceholders || !shape.dims.empty())
        context.set(0, shape);
}

void variable(RuleContext& context)
{
    const Shape shape = context.attrs().shape("shape");
    if (!shape.dims.empty())
        context.set(0, shape);
}

void withDefault(RuleContext& context)
{
    const Shape shape = context.attrs().shape("shape");
    context.merge(context.input(0), shape);
    context.set(0, shape);
}

struct RangeOperands {
    double start = 0;
    double limit = 0;
    double delta = 0;
};

bool isFloating(DType dtype)
{
    return dtype == DType::Float || dtype == DType::Double;
}

std::optional<double> number(const RuleContext& context, std::size_t i)
{
    if (const auto item = context.scalar(i))
        return double(*item);
    const std::vector<double>* values = context.floats(i);
    return values != nullptr && values->size() == 1 && isFloating(context.inputDtype(i))
               ? std::optional(values->front())
               : std::nullopt;
}

std::string numberText(const RuleContext& context, double value)
{
    return isFloating(context.inputDtype(0)) ? std::to_string(value)
                                             : std::to_string(clampedTo<std::int64_t>(value));
}

// Integers are counted without conversion to double, because they may be beyond 2^53.
std::int64_t countOfIntegers(std::int64_t start, std::int64_t limit, std::int64_t delta)
{
    const bool isUp = limit > start;
    const std::uint64_t distance = isUp ? std::uint64_t(limit) - std::uint64_t(start)
                                        : std::uint64_t(start) - std::uint64_t(limit);
    const std::uint64_t step = delta > 0 ? std::uint64_t(delta) : 0 - std::uint64_t(delta);
    const std::uint64_t count = distance / step + (distance % step != 0 ? 1 : 0);
    return count > std::uint64_t(std::numeric_limits<std::int64_t>::max()) ? unknownDim
                                                                           : std::int64_t(count);
}

std::int64_t countOfFloats(const RuleContext& context, const RangeOperands& range)
{
    double count = std::ceil(std::abs((range.limit - range.start) / range.delta));
    if (context.inputDtype(0) == DType::Float)
        count = double(
            std::ceil(std::abs((float(range.limit) - float(range.start)) / float(range.delta))));
    return count >= 0 && count < 9e18 ? std::int64_t(count) : unknownDim;
}

void rangeOf(RuleContext& context)
{
    for (std::size_t i = 0; i < 3; ++i)
        context.ranked(i, 0);
    context.set(0, unknownDims(1));
    const auto start = number(context, 0);
    const auto limit = number(context, 1);
    const auto delta = number(context, 2);
    if (!start || !limit || !delta)
        return;
    if (*delta == 0)
        return context.fail("Requires delta != 0");
    if (*delta > 0 ? *start > *limit : *start < *limit) {
        context.fail(std::string("Requires start ") + (*delta > 0 ? "<=" : ">=") +
                     " limit when delta " + (*delta > 0 ? ">" : "<") +
                     " 0: " + numberText(context, *start) + "/" + numberText(context, *limit));
        return;
    }
    const bool isInteger = context.scalar(0) && context.scalar(1) && context.scalar(2);
    const std::int64_t count =
        isInteger ? countOfIntegers(*context.scalar(0), *context.scalar(1), *context.scalar(2))
                  : countOfFloats(context, {*start, *limit, *delta});
    context.set(0, {{count}, false});
}

void linSpace(RuleContext& context)
{
    for (std::size_t i = 0; i < 3; ++i)
        context.ranked(i, 0);
    const auto count = context.scalar(2);
    if (count && *count <= 0)
        context.fail("Requires num > 0: " + std::to_string(*count));
    context.set(0, {{count && *count > 0 ? *count : unknownDim}, false});
}

constexpr ShapeRule sourceTable[] = {
    {"Const", constant},
    {"HostConst", constant},
    {"ImmutableConst", ownShape},
    {"LinSpace", linSpace},
    {"Placeholder", placeholder},
    {"PlaceholderV2", ownShape},
    {"PlaceholderWithDefault", withDefault},
    {"Empty", shapeOperand},
    {"Range", rangeOf},
    {"TemporaryVariable", ownShape},
    {"Variable", variable},
    {"VariableV2", ownShape},
    {"_Arg", ownShape},
};

} // namespace

std::span<const ShapeRule> sourceRules()
{
    return sourceTable;
}

} // namespace lapidary
