// SPDX-License-Identifier: Apache-2.0
// Ops that join and split tensors along an axis.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// Joins the operands [begin, end) along the axis in operand `axisAt`.
void join(RuleContext& context, std::size_t begin, std::size_t end, std::size_t axisAt)
{
    context.ranked(axisAt, 0);
    const auto axis = context.scalar(axisAt);
    Shape rest = unknownShape();
    if (!axis) {
        std::size_t rank = maxRank + 1;
        for (std::size_t i = begin; i < end; ++i)
            if (!context.input(i).unknownRank) {
                if (rank == maxRank + 1)
                    rank = context.input(i).dims.size();
                else
                    context.ranked(context.input(i), rank);
            }
        if (rank == 0)
            context.fail("Can't concatenate scalars (use tf.stack instead)");
        if (rank <= maxRank)
            context.set(0, unknownDims(rank));
        return;
    }
    const auto needed = rankWith(*axis);
    if (needed > maxRank) {
        context.fail("The axis is " + std::to_string(*axis));
        return;
    }
    std::int64_t size = 0;
    for (std::size_t i = begin; i < end && !context.failed(); ++i) {
        const Shape part = context.rankedAtLeast(context.input(i), needed);
        size = sum(context, size, sizeAt(part, *axis));
        rest = context.merge(rest, withDim(part, *axis, unknownDim));
    }
    context.set(0, withDim(rest, *axis, size));
}

void concat(RuleContext& context)
{
    join(context, 1, context.inputCount(), 0);
}

void concatV2(RuleContext& context)
{
    if (context.inputCount() > 0)
        join(context, 0, context.inputCount() - 1, context.inputCount() - 1);
}

void quantizedConcat(RuleContext& context)
{
    if (context.inputCount() == 0)
        return;
    const std::size_t count = (context.inputCount() - 1) / 3;
    join(context, 1, 1 + count, 0);
    for (std::size_t i = 1 + count; i < context.inputCount(); ++i)
        context.ranked(i, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void concatOffset(RuleContext& context)
{
    for (std::size_t i = 0; i < context.outputCount(); ++i)
        context.set(i, context.input(i + 1));
}

// The kernel writes each input directly into its row of the output, so all sizes must be known
// first.
void parallelConcat(RuleContext& context)
{
    const Shape shape = context.attrs().shape("shape");
    if (!isFullyKnown(shape))
        context.fail("attribute shape must be fully known, but is " + shapeText(shape));
    Shape row = withDim(shape, 0, unknownDim);
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (!isFullyKnown(context.input(i)))
            context.fail("input " + std::to_string(i) + " must be of a fully known shape");
        if (sizeAt(context.input(i), 0) != 1)
            context.fail("input " + std::to_string(i) + " must be of one row, not of the shape " +
                         shapeText(context.input(i)));
        row = context.merge(row, context.input(i));
    }
    context.set(0, shape);
}

void pack(RuleContext& context)
{
    Shape shape = unknownShape();
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        shape = context.merge(shape, context.input(i));
    if (shape.unknownRank)
        return;
    const auto rank = std::int64_t(shape.dims.size());
    const std::int64_t given = context.attrs().integer("axis");
    const std::int64_t axis = given < 0 ? given + rank + 1 : given;
    if (axis < 0 || axis > rank) {
        context.fail("Invalid axis: " + std::to_string(given) + "; must be in [" +
                     std::to_string(-rank - 1) + "," + std::to_string(rank + 1) + ")");
        return;
    }
    shape.dims.insert(shape.dims.begin() + axis, std::int64_t(context.inputCount()));
    context.set(0, shape);
}

void unpack(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return;
    const auto rank = std::int64_t(input.dims.size());
    const std::int64_t given = context.attrs().integer("axis");
    const std::int64_t axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis >= rank) {
        context.fail("Invalid axis: " + std::to_string(given) + "; must be in [" +
                     std::to_string(-rank) + "," + std::to_string(rank) + ")");
        return;
    }
    const std::int64_t size = input.dims[std::size_t(axis)];
    if (size != unknownDim && size != std::int64_t(context.outputCount()))
        context.fail("Dimension must be " + std::to_string(context.outputCount()) + " but is " +
                     std::to_string(size));
    Shape output = input;
    output.dims.erase(output.dims.begin() + axis);
    context.setAll(output);
}

void split(RuleContext& context)
{
    const Shape& input = context.input(1);
    if (context.allItems(0))
        context.ranked(0, 0);
    if (input.unknownRank)
        return;
    if (!context.scalar(0)) {
        context.setAll(unknownDims(input.dims.size()));
        return;
    }
    const auto axis = axisFrom(context, 0, input);
    if (!axis)
        return;
    const auto at = std::int64_t(*axis);
    const auto count = std::int64_t(context.outputCount());
    context.setAll(withDim(input, at, quotient(context, sizeAt(input, at), count, true)));
}

std::string listText(const std::vector<std::int64_t>& sizes)
{
    return shapeText({sizes, false});
}

// Returns the sizes of the pieces of an axis of `size`; one entry may be -1, for the remainder.
std::optional<std::vector<std::int64_t>> piecesOf(RuleContext& context, std::int64_t size,
                                                  std::vector<std::int64_t> pieces)
{
    std::int64_t total = 0;
    std::ptrdiff_t rest = -1;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i] == -1 && rest >= 0) {
            context.fail("size_splits can only have one -1");
            return std::nullopt;
        }
        if (pieces[i] == -1)
            rest = std::ptrdiff_t(i);
        else if (pieces[i] >= 0)
            total = sum(context, total, pieces[i]);
        else
            total = -1;
        if (total < 0) {
            context.fail("can't split axis of size " + std::to_string(size) +
                         " into pieces of size " + listText(pieces));
            return std::nullopt;
        }
    }
    if (size >= 0 && (total > size || (total < size && rest < 0))) {
        context.fail("can't split axis of size " + std::to_string(size) + " into pieces of size " +
                     listText(pieces));
        return std::nullopt;
    }
    if (rest >= 0)
        pieces[std::size_t(rest)] = size >= 0 ? size - total : unknownDim;
    return pieces;
}

void splitInto(RuleContext& context, const Shape& input, std::size_t axis,
               const std::vector<std::int64_t>& sizes)
{
    if (sizes.size() != context.outputCount()) {
        context.fail("Length of size_splits should be equal to num_outputs");
        return;
    }
    const auto pieces = piecesOf(context, input.dims[axis], sizes);
    for (std::size_t i = 0; pieces && i < pieces->size(); ++i)
        context.set(i, withDim(input, std::int64_t(axis), (*pieces)[i]));
}

void splitV(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (context.allItems(2))
        context.ranked(2, 0);
    if (input.unknownRank)
        return;
    if (input.dims.empty()) {
        context.fail("Can't split scalars");
        return;
    }
    const auto sizes = context.allItems(1);
    const bool isAxisKnown = context.scalar(2).has_value();
    if (!isAxisKnown && !sizes && context.outputCount() > 1) {
        context.setAll(unknownDims(input.dims.size()));
        return;
    }
    // If the sizes are known and the axis is not, the last axis is assumed: TensorFlow refuses a
    // graph whose sizes do not fit it.
    const std::optional<std::size_t> axis =
        isAxisKnown ? axisFrom(context, 2, input) : input.dims.size() - 1;
    if (!axis)
        return;
    if (sizes)
        splitInto(context, input, *axis, *sizes);
    else if (context.outputCount() == 1)
        context.set(0, input);
    else
        context.setAll(withDim(input, std::int64_t(*axis), unknownDim));
}

constexpr ShapeRule concatTable[] = {
    {"Concat", concat},
    {"ConcatOffset", concatOffset},
    {"ConcatV2", concatV2},
    {"Pack", pack},
    {"ParallelConcat", parallelConcat},
    {"QuantizedConcat", quantizedConcat},
    {"QuantizedConcatV2", nothing},
    {"Split", split},
    {"SplitV", splitV},
    {"Unpack", unpack},
};

} // namespace

std::span<const ShapeRule> concatRules()
{
    return concatTable;
}

} // namespace lapidary
