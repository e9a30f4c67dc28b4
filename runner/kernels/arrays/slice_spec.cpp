// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/slice_spec.h"

#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

// One entry of begin, end, strides and the masks.
struct Entry {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t stride = 1;
    bool beginMasked = true;
    bool endMasked = true;
    bool isEllipsis = false;
    bool isNewAxis = false;
    bool isShrunk = false;
};

Result<std::vector<Entry>> readEntries(const KernelContext& context, std::size_t first)
{
    constexpr std::size_t mostEntries = 31; // the masks have 32 bits
    const auto begin = integerVector(context, first, "begin");
    const auto end = integerVector(context, first + 1, "end");
    const auto stride = integerVector(context, first + 2, "strides");
    for (const auto* vector : {&begin, &end, &stride})
        if (!*vector)
            return vector->error();
    const std::size_t count = begin.value().size();
    if (end.value().size() != count || stride.value().size() != count || count > mostEntries)
        return context.error("begin, end and strides must have the same number of entries, at "
                             "most 31, but have " +
                             std::to_string(count) + ", " + std::to_string(end.value().size()) +
                             " and " + std::to_string(stride.value().size()));
    const auto mask = [&](const char* name) { return std::uint64_t(context.intAttr(name)); };
    std::vector<Entry> entries(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto isSet = [i](std::uint64_t bits) { return (bits >> i & 1) != 0; };
        Entry& entry = entries[i];
        entry.begin = begin.value()[i];
        entry.end = end.value()[i];
        entry.stride = stride.value()[i];
        entry.beginMasked = isSet(mask("begin_mask"));
        entry.endMasked = isSet(mask("end_mask"));
        entry.isEllipsis = isSet(mask("ellipsis_mask"));
        entry.isNewAxis = !entry.isEllipsis && isSet(mask("new_axis_mask"));
        entry.isShrunk = !entry.isEllipsis && !entry.isNewAxis && isSet(mask("shrink_axis_mask"));
    }
    return entries;
}

// Replaces the ellipsis (at the end if there is none) by as many whole axes as the other entries
// leave.
Result<std::vector<Entry>> withoutEllipsis(const KernelContext& context, std::vector<Entry> entries,
                                           std::size_t rank)
{
    const auto isEllipsis = [](const Entry& entry) { return entry.isEllipsis; };
    const auto ellipses = std::ranges::count_if(entries, isEllipsis);
    if (ellipses > 1)
        return context.error("only one ellipsis is allowed in a slice");
    if (ellipses == 0)
        entries.push_back({.isEllipsis = true});
    const auto newAxes =
        std::ranges::count_if(entries, [](const Entry& entry) { return entry.isNewAxis; });
    const std::size_t taken = entries.size() - 1 - std::size_t(newAxes);
    if (taken > rank)
        return context.error("the slice has " + std::to_string(taken) +
                             " entries, but the input has only " + std::to_string(rank) + " axes");
    const auto at = std::ranges::find_if(entries, isEllipsis);
    const auto next = entries.erase(at);
    entries.insert(next, rank - taken, Entry());
    return entries;
}

// Returns the index of begin or end on an axis of `size`, after masks, negatives and clamping.
std::int64_t canonical(std::int64_t place, bool masked, bool isEnd, std::int64_t stride,
                       std::int64_t size)
{
    const std::int64_t low = stride > 0 ? 0 : -1;
    const std::int64_t high = stride > 0 ? size : size - 1;
    if (masked)
        return (stride > 0) == isEnd ? high : low;
    return std::clamp(place < 0 ? place + size : place, low, high);
}

Status addAxis(const KernelContext& context, const Entry& entry, std::int64_t size, StridedBox& box)
{
    const std::size_t axis = box.size.size();
    if (entry.stride == 0)
        return context.error("the stride of axis " + std::to_string(axis) + " must not be 0");
    if (!entry.isShrunk) {
        const std::int64_t begin =
            canonical(entry.begin, entry.beginMasked, false, entry.stride, size);
        const std::int64_t end = canonical(entry.end, entry.endMasked, true, entry.stride, size);
        const std::int64_t interval = end - begin;
        const bool empty = interval == 0 || (interval < 0) != (entry.stride < 0);
        const std::int64_t steps =
            empty ? 0 : interval / entry.stride + (interval % entry.stride != 0 ? 1 : 0);
        box.begin.push_back(begin);
        box.stride.push_back(entry.stride);
        box.size.push_back(steps);
        return Done{};
    }
    if (entry.stride < 0)
        return context.error("an index needs a positive stride (axis " + std::to_string(axis) +
                             ")");
    const std::int64_t place = entry.begin < 0 ? entry.begin + size : entry.begin;
    if (place < 0 || place >= size)
        return context.error("index " + std::to_string(entry.begin) + " of axis " +
                             std::to_string(axis) + " is out of bounds: its size is " +
                             std::to_string(size));
    box.begin.push_back(place);
    box.stride.push_back(1);
    box.size.push_back(1);
    return Done{};
}

} // namespace

Result<StridedBox> readStridedBox(const KernelContext& context, std::size_t first, const Dims& dims)
{
    ASSIGN_OR_RETURN(auto read, readEntries(context, first));
    ASSIGN_OR_RETURN(const auto entries, withoutEllipsis(context, std::move(read), dims.size()));
    StridedBox box;
    for (const Entry& entry : entries) {
        if (entry.isNewAxis) {
            box.outputDims.push_back(1);
            continue;
        }
        RETURN_IF_ERROR(addAxis(context, entry, dims[box.size.size()], box));
        if (!entry.isShrunk)
            box.outputDims.push_back(box.size.back());
    }
    return box;
}

Status writeBox(const KernelContext& context, const Value& part, Value& whole,
                const StridedBox& box)
{
    const auto& [begin, stride, size, outputDims] = box;
    const Dims from = rowMajorStrides(size);
    const Dims to = rowMajorStrides(whole.dims());
    CopyPlan plan;
    for (std::size_t i = 0; i < size.size(); ++i) {
        plan.axes.push_back({size[i], from[i], size[i] == 1 ? 0 : to[i] * stride[i]});
        plan.toOffset += begin[i] * to[i];
    }
    return stridedCopy(context, part, whole, std::move(plan));
}

Result<StridedBox> assignedBox(const KernelContext& context, const Value& whole)
{
    constexpr int mostAxes = 7; // as in TensorFlow
    const Value& value = context.input(4);
    if (whole.rank() > mostAxes)
        return context.error("slices at most 7 axes, but the shape is " + dimsText(whole.dims()));
    if (value.dtype() != whole.dtype())
        return context.error("the value is " + dtypeName(value.dtype()) +
                             ", but is assigned into " + dtypeName(whole.dtype()));
    ASSIGN_OR_RETURN(auto box, readStridedBox(context, 1, whole.dims()));
    if (box.outputDims != value.dims())
        return context.error("the value must have the shape of the slice, " +
                             dimsText(box.outputDims) + ", not " + dimsText(value.dims()));
    return box;
}

} // namespace lapidary
