// SPDX-License-Identifier: Apache-2.0
#include "graph_model/shapes/strided_slice.h"

#include "graph_model/shapes/shape_facts.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

struct DenseEntry {
    SliceEntry entry;
    bool beginsAnywhere = true;
    bool endsAnywhere = true;
    bool vanishes = false;
};

constexpr std::size_t newAxis = std::size_t(-1);

Error wrong(std::string message)
{
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

// One entry for each input dimension, and the entries (or new axes) that form the output.
struct Dense {
    std::vector<DenseEntry> entries;
    std::vector<std::size_t> order;
};

Result<Dense> expand(std::size_t rank, const SliceSpec& spec)
{
    const std::size_t given = spec.entries.size();
    const auto inRange = [&](std::uint32_t mask) {
        return mask & (given >= 32 ? ~0U : (1U << given) - 1);
    };
    if (std::popcount(spec.ellipsisMask) > 1) // a bit after the last entry counts too
        return wrong("Multiple ellipses in slice spec not allowed");
    const std::uint32_t ellipses = inRange(spec.ellipsisMask);
    const std::size_t at = ellipses == 0 ? given : std::size_t(std::countr_zero(ellipses));
    // The number of axes for entries other than the ellipsis and new axes.
    const std::uint32_t fresh = inRange(spec.newAxisMask) & ~ellipses;
    const std::size_t taken = given - (ellipses == 0 ? 0 : 1) - std::size_t(std::popcount(fresh));
    if (taken > rank)
        return wrong("Index out of range using input dim " + std::to_string(rank) +
                     "; input has only " + std::to_string(rank) + " dims");
    Dense dense;
    const auto addRest = [&] {
        for (std::size_t i = 0; i < rank - taken; ++i) {
            dense.order.push_back(dense.entries.size());
            dense.entries.push_back({.entry = {0, 0, 1}});
        }
    };
    for (std::size_t i = 0; i < given; ++i) {
        const std::uint32_t bit = 1U << i;
        if (i == at) {
            addRest();
        } else if ((spec.newAxisMask & bit) != 0) {
            dense.order.push_back(newAxis);
        } else {
            const bool vanishes = (spec.shrinkAxisMask & bit) != 0;
            if (!vanishes)
                dense.order.push_back(dense.entries.size());
            dense.entries.push_back({.entry = spec.entries[i],
                                     .beginsAnywhere = (spec.beginMask & bit) != 0,
                                     .endsAnywhere = (spec.endMask & bit) != 0,
                                     .vanishes = vanishes});
        }
    }
    if (at == given)
        addRest();
    return dense;
}

Result<Slicing::Axis> takeOne(std::int64_t size, const DenseEntry& dense, std::size_t axis)
{
    const std::int64_t begin = dense.entry.begin;
    if (dense.entry.stride != unknownItem && dense.entry.stride <= 0)
        return wrong("only stride 1 allowed on non-range indexing.");
    if (begin == unknownItem)
        return Slicing::Axis{unknownItem, 1, 1};
    if (size == unknownDim)
        return Slicing::Axis{begin < 0 ? unknownItem : begin, 1, 1};
    const std::int64_t from = begin < 0 ? begin + size : begin;
    if (from < 0 || from >= size)
        return wrong("slice index " + std::to_string(begin) + " of dimension " +
                     std::to_string(axis) + " out of bounds.");
    return Slicing::Axis{from, 1, 1};
}

std::int64_t steps(std::int64_t interval, std::int64_t stride)
{
    if (interval == 0 || (interval < 0) != (stride < 0))
        return 0;
    return interval / stride + (interval % stride != 0 ? 1 : 0);
}

// Returns the facts about a slice of an axis of unknown size.
Slicing::Axis takeOfUnknown(const DenseEntry& dense)
{
    const auto [begin, end, stride] = dense.entry;
    Slicing::Axis axis{dense.beginsAnywhere ? 0 : begin, stride, unknownDim};
    if (begin < 0 && !dense.beginsAnywhere)
        axis.begin = unknownItem;
    if (stride < 0)
        axis.begin = unknownItem;
    return axis;
}

Result<Slicing::Axis> takeRange(std::int64_t size, const DenseEntry& dense, std::size_t axis)
{
    const auto [begin, end, stride] = dense.entry;
    if (stride == 0)
        return wrong("strides[" + std::to_string(axis) + "] must be non-zero");
    const bool takesAll = dense.beginsAnywhere && dense.endsAnywhere;
    if (stride == unknownItem)
        return Slicing::Axis{unknownItem, unknownItem, unknownDim};
    if (takesAll && (stride == 1 || stride == -1))
        return Slicing::Axis{stride == 1          ? 0
                             : size == unknownDim ? unknownItem
                                                  : size - 1,
                             stride, size};
    if (size == unknownDim)
        return takeOfUnknown(dense);
    if ((begin == unknownItem && !dense.beginsAnywhere) ||
        (end == unknownItem && !dense.endsAnywhere))
        return Slicing::Axis{unknownItem, stride, unknownDim};
    const std::int64_t low = stride > 0 ? 0 : -1;
    const std::int64_t high = stride > 0 ? size : size - 1;
    const auto place = [&](std::int64_t at, bool isAnywhere, std::int64_t anywhere) {
        return isAnywhere ? anywhere : std::clamp(at < 0 ? at + size : at, low, high);
    };
    const std::int64_t from = place(begin, dense.beginsAnywhere, stride > 0 ? low : high);
    const std::int64_t to = place(end, dense.endsAnywhere, stride > 0 ? high : low);
    return Slicing::Axis{from, stride, steps(to - from, stride)};
}

} // namespace

SliceSpec SliceSpec::of(const Node& node)
{
    const auto mask = [&](std::string_view name) {
        return std::uint32_t(node.attr(name).asInt().value_or(0));
    };
    return {.entries = {},
            .beginMask = mask("begin_mask"),
            .endMask = mask("end_mask"),
            .ellipsisMask = mask("ellipsis_mask"),
            .newAxisMask = mask("new_axis_mask"),
            .shrinkAxisMask = mask("shrink_axis_mask")};
}

Result<Slicing> sliceShape(const Shape& input, const SliceSpec& spec)
{
    ASSIGN_OR_RETURN(const Dense dense, expand(input.dims.size(), spec));
    Slicing slicing;
    for (std::size_t i = 0; i < dense.entries.size(); ++i) {
        const DenseEntry& entry = dense.entries[i];
        const std::int64_t size = input.dims[i];
        ASSIGN_OR_RETURN(const auto axis,
                         entry.vanishes ? takeOne(size, entry, i) : takeRange(size, entry, i));
        slicing.axes.push_back(axis);
    }
    for (const std::size_t at : dense.order)
        slicing.output.dims.push_back(at == newAxis ? 1 : slicing.axes[at].size);
    return slicing;
}

} // namespace lapidary
