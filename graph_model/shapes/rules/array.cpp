// SPDX-License-Identifier: Apache-2.0
// Ops that return or change a shape and keep the elements.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

struct KnownProduct {
    std::int64_t elements = 1; // of the known sizes
    int unknown = 0;
    std::size_t unknownAt = 0;
};

KnownProduct knownProduct(RuleContext& context, const Shape& shape)
{
    KnownProduct known;
    for (std::size_t i = 0; i < shape.dims.size(); ++i) {
        if (shape.dims[i] == unknownDim) {
            ++known.unknown;
            known.unknownAt = i;
        } else {
            known.elements = product(context, known.elements, shape.dims[i]);
        }
    }
    return known;
}

// Sets the output of a Reshape. One unknown size of `wanted` follows from the elements of `input`;
// a size that is unknown in `input` must divide evenly.
void reshapeInto(RuleContext& context, const Shape& input, Shape wanted)
{
    const KnownProduct have = knownProduct(context, input);
    const KnownProduct want = knownProduct(context, wanted);
    if (context.failed())
        return;
    if (have.unknown == 0 && want.unknown == 0 && have.elements != want.elements) {
        context.fail("Cannot reshape a tensor with " + std::to_string(have.elements) +
                     " elements to shape " + shapeText(wanted) + " (" +
                     std::to_string(want.elements) + " elements)");
        return;
    }
    if (have.unknown == 0 && want.unknown == 1) {
        if (want.elements > 0)
            wanted.dims[want.unknownAt] = quotient(context, have.elements, want.elements, true);
        else if (have.elements != 0)
            context.fail("Cannot reshape a tensor with " + std::to_string(have.elements) +
                         " elements to shape " + shapeText(wanted) + " (0 elements)");
    }
    if (have.unknown == 1 && want.unknown == 0 && have.elements != 0)
        quotient(context, want.elements, have.elements, true);
    context.set(0, wanted);
}

void reshape(RuleContext& context)
{
    const Shape& input = context.input(0);
    const Shape wanted = context.shapeFrom(1);
    if (wanted.unknownRank)
        return;
    if (input.unknownRank)
        context.set(0, wanted);
    else
        reshapeInto(context, input, wanted);
}

void quantizedReshape(RuleContext& context)
{
    reshape(context);
    context.ranked(2, 0);
    context.ranked(3, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void squeezeAll(RuleContext& context, const Shape& input)
{
    Shape output;
    for (const std::int64_t size : input.dims) {
        if (size == unknownDim)
            return;
        if (size != 1)
            output.dims.push_back(size);
    }
    context.set(0, output);
}

void squeeze(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return;
    const auto dims = context.attrs().integers("squeeze_dims");
    if (dims.empty()) {
        squeezeAll(context, input);
        return;
    }
    const auto rank = std::int64_t(input.dims.size());
    std::vector<bool> isDropped(input.dims.size(), false);
    for (const std::int64_t given : dims)
        if (given < -rank || given >= rank)
            return context.fail("Tried to squeeze dim index " + std::to_string(given) +
                                " for tensor with " + std::to_string(rank) + " dimensions.");
    for (const std::int64_t given : dims) {
        const auto at = std::size_t(given < 0 ? given + rank : given);
        isDropped[at] = true;
        if (input.dims[at] != unknownDim && input.dims[at] != 1)
            context.fail("Can not squeeze dim[" + std::to_string(at) +
                         "], expected a dimension of 1, got " + std::to_string(input.dims[at]));
    }
    Shape output;
    for (std::size_t i = 0; i < input.dims.size(); ++i)
        if (!isDropped[i])
            output.dims.push_back(input.dims[i]);
    context.set(0, output);
}

void expandDims(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (context.items(1) != nullptr && context.items(1)->size() != 1)
        context.fail("'dim' input must be a tensor with a single value");
    if (input.unknownRank || context.failed())
        return;
    const auto given = context.scalar(1);
    if (!given) {
        context.set(0, unknownDims(input.dims.size() + 1)); // regardless of its position
        return;
    }
    const auto rank = std::int64_t(input.dims.size());
    if (*given < -rank - 1 || *given > rank) {
        context.fail("dim " + std::to_string(*given) + " not in the interval [" +
                     std::to_string(-rank - 1) + ", " + std::to_string(rank) + "].");
        return;
    }
    Shape output = input;
    output.dims.insert(output.dims.begin() + (*given < 0 ? *given + rank + 1 : *given), 1);
    context.set(0, output);
}

void shapeOf(RuleContext& context)
{
    for (std::size_t i = 0; i < context.outputCount(); ++i) {
        const Shape& input = context.input(i);
        context.set(i, {{input.unknownRank ? unknownDim : std::int64_t(input.dims.size())}, false});
    }
}

void fill(RuleContext& context)
{
    context.ranked(1, 0);
    const auto sizes = context.allItems(0);
    if (sizes && std::ranges::any_of(*sizes, [](std::int64_t size) { return size < 0; }))
        context.fail("Fill dimensions must be >= 0");
    context.set(0, context.shapeFrom(0));
}

void broadcastTo(RuleContext& context)
{
    const Shape wanted = context.shapeFrom(1);
    const Shape& input = context.input(0);
    context.set(0, wanted);
    if (wanted.unknownRank || input.unknownRank)
        return;
    if (input.dims.size() > wanted.dims.size()) {
        context.fail("Shape must be at most rank " + std::to_string(wanted.dims.size()) +
                     " but is rank " + std::to_string(input.dims.size()));
        return;
    }
    const std::size_t offset = wanted.dims.size() - input.dims.size();
    Shape output = wanted;
    for (std::size_t i = 0; i < input.dims.size(); ++i)
        if (input.dims[i] > 1)
            output.dims[i + offset] = context.merge(input.dims[i], output.dims[i + offset]);
    context.set(0, output);
}

// Gives the coordinates of each index, one row for each dimension.
void unravelIndex(RuleContext& context)
{
    const Shape dims = context.ranked(1, 1);
    const Shape& indices = context.input(0);
    if (indices.unknownRank)
        return;
    Shape output{{dims.dims[0]}, false};
    if (!indices.dims.empty())
        output.dims.push_back(elementsOf(context, indices));
    context.set(0, output);
}

// Broadcasts shapes given as vectors to each other.
void broadcastArgs(RuleContext& context)
{
    const Shape a = context.ranked(0, 1);
    const Shape b = context.ranked(1, 1);
    const bool isKnown = a.dims[0] >= 0 && b.dims[0] >= 0;
    context.set(0, {{isKnown ? std::max(a.dims[0], b.dims[0]) : unknownDim}, false});
}

void broadcastGradientArgs(RuleContext& context)
{
    context.ranked(0, 1);
    context.ranked(1, 1);
    context.setAll(unknownDims(1));
}

void tile(RuleContext& context)
{
    const Shape& input = context.input(0);
    Shape multiples = context.shapeFrom(1);
    if (multiples.unknownRank && input.unknownRank)
        return;
    if (multiples.unknownRank)
        multiples = unknownDims(input.dims.size());
    const Shape data = context.ranked(input, multiples.dims.size());
    for (std::size_t i = 0; i < multiples.dims.size(); ++i)
        multiples.dims[i] = product(context, data.dims[i], multiples.dims[i]);
    context.set(0, multiples);
}

void transpose(RuleContext& context)
{
    const Shape& input = context.input(0);
    const auto* items = context.items(1);
    std::int64_t rank =
        items != nullptr ? std::int64_t(items->size()) : elementsOf(context, context.input(1));
    // A single number is ambiguous in TensorFlow: vectors and scalars stay unchanged.
    if (input.unknownRank && rank < 2)
        return;
    context.ranked(1, 1);
    if (!input.unknownRank) {
        if (rank >= 0 && rank != std::int64_t(input.dims.size()))
            context.fail("Dimension must be " + std::to_string(input.dims.size()) + " but is " +
                         std::to_string(rank));
        rank = std::int64_t(input.dims.size());
    }
    if (rank < 0 || rank > std::int64_t(maxRank) || context.failed())
        return;
    Shape output = unknownDims(std::size_t(rank));
    for (std::size_t i = 0; items != nullptr && i < output.dims.size(); ++i) {
        const std::int64_t from = (*items)[i];
        if (from == unknownItem)
            continue;
        if (from < -rank || from >= rank) {
            context.fail("perm dim " + std::to_string(from) + " is out of range of input rank " +
                         std::to_string(rank));
            return;
        }
        output.dims[i] = sizeAt(input, from);
    }
    context.set(0, output);
}

void vectorSame(RuleContext& context)
{
    context.set(0, context.ranked(0, 1));
}

void reverse(RuleContext& context)
{
    const Shape flags = context.ranked(1, 1);
    const Shape& input = context.input(0);
    if (!input.unknownRank && flags.dims[0] >= 0)
        context.ranked(input, std::size_t(std::min<std::int64_t>(flags.dims[0], maxRank + 1)));
    if (!input.unknownRank || flags.dims[0] < 0 || flags.dims[0] > std::int64_t(maxRank))
        context.set(0, input);
    else
        context.set(0, unknownDims(std::size_t(flags.dims[0])));
}

void reverseV2(RuleContext& context)
{
    context.ranked(1, 1);
    const Shape& input = context.input(0);
    context.set(0, input);
    const auto* axes = context.items(1);
    if (input.unknownRank || axes == nullptr)
        return;
    const auto rank = std::int64_t(input.dims.size());
    std::vector<bool> isSeen(input.dims.size(), false);
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const std::int64_t given = (*axes)[i];
        if (given == unknownItem)
            continue;
        const std::int64_t axis = given < 0 ? given + rank : given;
        if (axis < 0 || axis >= rank) {
            context.fail("'axis'[" + std::to_string(i) + "] = " + std::to_string(given) +
                         " is out of valid range [0, " + std::to_string(rank - 1));
            return;
        }
        if (isSeen[std::size_t(axis)])
            context.fail("axis " + std::to_string(axis) + " specified more than once.");
        isSeen[std::size_t(axis)] = true;
    }
}

void reverseSequence(RuleContext& context)
{
    const Shape& input = context.input(0);
    const Shape lengths = context.ranked(1, 1);
    if (input.unknownRank)
        return;
    const auto rank = std::int64_t(input.dims.size());
    const std::int64_t batch = context.attrs().integer("batch_dim");
    const std::int64_t sequence = context.attrs().integer("seq_dim");
    if (batch >= rank || sequence >= rank || batch < -rank || sequence < -rank) {
        context.fail("batch_dim and seq_dim must be < input rank: " + std::to_string(batch) +
                     " and " + std::to_string(sequence) + " vs. " + std::to_string(rank));
        return;
    }
    const std::int64_t size = context.merge(sizeAt(input, batch), lengths.dims[0]);
    context.set(0, withDim(input, batch, size));
}

void ensureShape(RuleContext& context)
{
    context.set(0, context.merge(context.input(0), context.attrs().shape("shape")));
}

// Shifts are scalars or one for each axis.
void roll(RuleContext& context)
{
    context.merge(context.rankedAtMost(context.input(1), 1),
                  context.rankedAtMost(context.input(2), 1));
    context.set(0, context.rankedAtLeast(context.input(0), 1));
}

// The kernel checks that the on and off values are scalars.
void oneHot(RuleContext& context)
{
    const std::int64_t depth = context.sizeFrom(1);
    const Shape& indices = context.input(0);
    const std::int64_t axis = context.attrs().integer("axis", -1);
    if (axis < -1) {
        context.fail("axis must be >= -1, but is " + std::to_string(axis));
        return;
    }
    if (indices.unknownRank)
        return;
    const auto rank = std::int64_t(indices.dims.size());
    if (axis > rank) // the kernel refuses it
        return context.set(0, unknownDims(indices.dims.size() + 1));
    Shape output = indices;
    output.dims.insert(output.dims.begin() + (axis == -1 ? rank : axis), depth);
    context.set(0, output);
}

constexpr ShapeRule arrayTable[] = {
    {"BroadcastArgs", broadcastArgs},
    {"BroadcastGradientArgs", broadcastGradientArgs},
    {"BroadcastTo", broadcastTo},
    {"ConjugateTranspose", transpose},
    {"DeepCopy", same},
    {"EnsureShape", ensureShape},
    {"ExpandDims", expandDims},
    {"Fill", fill},
    {"InvertPermutation", vectorSame},
    {"OneHot", oneHot},
    {"QuantizedReshape", quantizedReshape},
    {"Rank", scalars},
    {"Reshape", reshape},
    {"Reverse", reverse},
    {"ReverseSequence", reverseSequence},
    {"ReverseV2", reverseV2},
    {"Roll", roll},
    {"Shape", shapeOf},
    {"ShapeN", shapeOf},
    {"Size", scalars},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"Transpose", transpose},
    {"UnravelIndex", unravelIndex},
};

} // namespace

std::span<const ShapeRule> arrayRules()
{
    return arrayTable;
}

} // namespace lapidary
