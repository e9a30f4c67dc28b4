// SPDX-License-Identifier: Apache-2.0
// Slices and paddings.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"
#include "graph_model/shapes/strided_slice.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

std::int64_t itemAt(const std::vector<std::int64_t>* items, std::size_t i)
{
    return items != nullptr && i < items->size() ? (*items)[i] : unknownItem;
}

// Returns the common length of the operands; -1 if it is unknown.
std::int64_t lengthOf(RuleContext& context, std::size_t first, std::size_t last)
{
    std::int64_t length = unknownDim;
    for (std::size_t i = first; i <= last; ++i) {
        length = context.merge(length, context.ranked(i, 1).dims[0]);
        if (const auto* items = context.items(i))
            length = context.merge(length, std::int64_t(items->size()));
    }
    return length;
}

void slice(RuleContext& context)
{
    const std::int64_t length = lengthOf(context, 1, 2);
    Shape input = context.input(0);
    if (length > std::int64_t(maxRank) || context.failed())
        return;
    if (length >= 0)
        input = context.ranked(input, std::size_t(length));
    if (input.unknownRank || context.failed())
        return;
    Shape output = unknownDims(input.dims.size());
    for (std::size_t i = 0; i < output.dims.size(); ++i) {
        const std::int64_t begin = itemAt(context.items(1), i);
        const std::int64_t size = itemAt(context.items(2), i);
        const std::int64_t dim = input.dims[i];
        // TensorFlow reads the begins as a shape: -1 is unknown.
        if (begin != unknownItem && begin < -1)
            context.fail("Slice begins at " + std::to_string(begin) + " in dimension " +
                         std::to_string(i));
        if (size != unknownItem && size < -1)
            context.fail("Slice has size " + std::to_string(size) + " in dimension " +
                         std::to_string(i));
        if (size == -1 && begin >= 0)
            output.dims[i] = difference(context, dim, begin);
        else if (size >= 0)
            output.dims[i] = size;
    }
    context.set(0, output);
}

// TensorFlow keeps the masks in 32 bits.
void checkMasks(RuleContext& context)
{
    for (const std::string_view mask :
         {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
        if (const std::int64_t bits = context.attrs().integer(mask);
            bits != std::int64_t(std::int32_t(bits)))
            context.fail("Attribute " + std::string(mask) + " is " + std::to_string(bits) +
                         ", out of range for 32 bits");
}

void stridedSlice(RuleContext& context)
{
    const Shape& input = context.input(0);
    const std::int64_t length = lengthOf(context, 1, 3);
    if (length < 0 || context.failed())
        return;
    if (length >= 32) {
        context.fail("A slice has at most 31 entries, this one " + std::to_string(length));
        return;
    }
    SliceSpec spec = SliceSpec::of(context.node());
    for (std::size_t i = 0; i < std::size_t(length); ++i)
        spec.entries.push_back({.begin = itemAt(context.items(1), i),
                                .end = itemAt(context.items(2), i),
                                .stride = itemAt(context.items(3), i)});
    if (input.unknownRank)
        return;
    if (context.allItems(3))
        checkMasks(context);
    Result<Slicing> slicing = sliceShape(input, spec);
    if (slicing.ok())
        context.set(0, slicing->output);
    else if (context.allItems(3)) // TensorFlow only checks this if it knows the strides
        context.fail(slicing.error().message);
}

void stridedSliceGrad(RuleContext& context)
{
    context.set(0, context.shapeFrom(0));
}

// Adds the paddings to the sizes, or subtracts them.
void changeBorder(RuleContext& context, bool isAdded)
{
    const Shape paddings = context.ranked(1, 2);
    context.merge(paddings.dims[1], 2);
    Shape input = context.input(0);
    const auto* items = context.items(1);
    std::int64_t rank = paddings.dims[0];
    if (items != nullptr)
        rank = context.merge(rank, std::int64_t(items->size() / 2));
    if (rank > std::int64_t(maxRank) || context.failed())
        return;
    if (rank >= 0)
        input = context.ranked(input, std::size_t(rank));
    if (input.unknownRank)
        return;
    Shape output = unknownDims(input.dims.size());
    for (std::size_t i = 0; i < output.dims.size(); ++i) {
        const std::int64_t before = itemAt(items, 2 * i);
        const std::int64_t after = itemAt(items, 2 * i + 1);
        if ((before < 0 && before != unknownItem) || (after < 0 && after != unknownItem)) {
            context.fail("Paddings must be non-negative");
            return;
        }
        if (before == unknownItem || after == unknownItem)
            continue;
        const std::int64_t border = sum(context, before, after);
        output.dims[i] = isAdded ? sum(context, input.dims[i], border)
                                 : difference(context, input.dims[i], border);
    }
    context.set(0, output);
}

void pad(RuleContext& context)
{
    changeBorder(context, true);
}

void mirrorPadGrad(RuleContext& context)
{
    changeBorder(context, false);
}

constexpr ShapeRule sliceTable[] = {
    {"MirrorPad", pad},
    {"MirrorPadGrad", mirrorPadGrad},
    {"Pad", pad},
    {"PadV2", pad},
    {"Slice", slice},
    {"StridedSlice", stridedSlice},
    {"StridedSliceGrad", stridedSliceGrad},
};

} // namespace

std::span<const ShapeRule> sliceRules()
{
    return sliceTable;
}

} // namespace lapidary
