// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/onnx/onnx_window.h"

#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"

#include <algorithm>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostWindowElements = 1 << 24; // along an axis

bool areWithin(const Ints& values, std::int64_t least)
{
    return std::ranges::all_of(
        values, [&](std::int64_t value) { return value >= least && value < mostWindowElements; });
}

bool readList(const LiftDraft& d, std::string_view name, Ints& into)
{
    const Ints values = d.intsAttr(name);
    if (values.size() == into.size())
        into = values;
    return values.empty() || values.size() == into.size();
}

// Sets padding so that the result is the size over the stride; an odd element is at the beginning
// if `isLower`.
void keepSizes(OnnxWindow& window, const Ints& sizes, bool isLower)
{
    for (std::size_t axis = 0; axis < window.axes(); ++axis) {
        const std::int64_t made = (sizes[axis] + window.stride[axis] - 1) / window.stride[axis];
        const std::int64_t all = std::max<std::int64_t>(
            (made - 1) * window.stride[axis] + window.reach(axis) - sizes[axis], 0);
        window.before[axis] = isLower ? all - all / 2 : all / 2;
        window.after[axis] = all - window.before[axis];
    }
}

// Adds the elements that an incomplete last window reads beyond the padding. It must begin inside.
void roundUp(OnnxWindow& window, const Ints& sizes)
{
    for (std::size_t axis = 0; axis < window.axes(); ++axis) {
        const std::int64_t stride = window.stride[axis];
        const std::int64_t whole = sizes[axis] + window.before[axis] + window.after[axis];
        const std::int64_t room = whole - window.reach(axis);
        if (room < 0 || room % stride == 0)
            continue;
        const std::int64_t first = (room / stride + 1) * stride;
        if (first < sizes[axis] + window.before[axis])
            window.spare[axis] = first + window.reach(axis) - whole;
    }
}

// Same for sizes known only at run time: adds the most that can be missing. Returns false if a last
// window might begin beyond the padding, depending on the size.
bool roundUpAny(OnnxWindow& window)
{
    for (std::size_t axis = 0; axis < window.axes(); ++axis) {
        if (window.after[axis] + window.stride[axis] > window.reach(axis))
            return false;
        window.spare[axis] = window.stride[axis] - 1;
    }
    return true;
}

} // namespace

std::int64_t onnxProduct(const Ints& sizes)
{
    std::int64_t all = 1;
    for (const std::int64_t size : sizes)
        all = std::min(all, mostOnnxSize) * std::min(size, mostOnnxSize);
    return all;
}

bool OnnxWindow::isPadded() const
{
    const auto isSome = [](std::int64_t pad) { return pad != 0; };
    return std::ranges::any_of(before, isSome) || std::ranges::any_of(after, isSome) ||
           std::ranges::any_of(spare, isSome);
}

bool OnnxWindow::isDilated() const
{
    return std::ranges::any_of(dilation, [](std::int64_t step) { return step != 1; });
}

Ints OnnxWindow::inner(const Ints& values)
{
    Ints all{1};
    all.insert(all.end(), values.begin(), values.end());
    all.push_back(1);
    return all;
}

LiftDraft::Attrs OnnxWindow::attrs() const
{
    return {typeAttr("T", DType::Float),
            {"strides", attr::fromInts(inner(stride))},
            {"padding", attr::fromString(padding())}};
}

std::optional<OnnxWindow> windowOf(const LiftDraft& d, Ints size)
{
    OnnxWindow window;
    window.size = std::move(size);
    if (Ints own = d.intsAttr("kernel_shape"); !own.empty())
        window.size = std::move(own);
    const std::size_t axes = window.axes();
    window.stride.assign(axes, 1);
    window.dilation.assign(axes, 1);
    window.before.assign(axes, 0);
    window.after.assign(axes, 0);
    window.spare.assign(axes, 0);
    Ints pads(2 * axes, 0);
    if (axes < 1 || axes > 3 || !readList(d, "strides", window.stride) ||
        !readList(d, "dilations", window.dilation) || !readList(d, "pads", pads) ||
        !areWithin(window.size, 1) || !areWithin(window.stride, 1) ||
        !areWithin(window.dilation, 1) || !areWithin(pads, 0))
        return std::nullopt;
    const std::string_view automatic = d.textAttr("auto_pad");
    const bool isLower = automatic == "SAME_LOWER";
    window.isSame = automatic == "SAME_UPPER";
    if (automatic.empty() || automatic == "NOTSET") {
        window.before.assign(pads.begin(), pads.begin() + std::ptrdiff_t(axes));
        window.after.assign(pads.begin() + std::ptrdiff_t(axes), pads.end());
    }
    const bool roundsUp = d.intAttr("ceil_mode", 0) != 0 && !window.isSame && !isLower;
    if (!roundsUp && !isLower)
        return window;
    const auto shape = d.shape(0);
    const bool isRanked = shape && shape->dims.size() == axes + 2;
    const Ints sizes = isRanked ? Ints(shape->dims.begin() + 2, shape->dims.end()) : Ints(axes, -1);
    if (!areWithin(sizes, 1))
        return !isLower && roundUpAny(window) ? std::optional(window) : std::nullopt;
    if (isLower)
        keepSizes(window, sizes, true);
    else
        roundUp(window, sizes);
    return window;
}

OnnxWindow withTwoAxes(OnnxWindow window)
{
    if (window.axes() != 1)
        return window;
    for (Ints* values : {&window.size, &window.stride, &window.dilation})
        values->insert(values->begin(), 1);
    for (Ints* values : {&window.before, &window.after, &window.spare})
        values->insert(values->begin(), 0);
    return window;
}

std::string withBorders(LiftDraft& d, const std::string& picture, const Ints& before,
                        const Ints& after, float value)
{
    Ints pairs{0, 0};
    for (std::size_t axis = 0; axis < before.size(); ++axis) {
        pairs.push_back(before[axis]);
        pairs.push_back(after[axis]);
    }
    pairs.insert(pairs.end(), {0, 0});
    if (std::ranges::all_of(pairs, [](std::int64_t pad) { return pad == 0; }))
        return picture;
    const std::string sizes = d.intMatrix({std::int64_t(pairs.size() / 2), 2}, pairs);
    return d.step("PadV2", {picture, sizes, d.oneFloat(value)},
                  {typeAttr("T", DType::Float), typeAttr("Tpaddings", DType::Int32)});
}

std::string toPicture(LiftDraft& d, const std::string& x, std::size_t axes, DType dtype)
{
    if (axes == 1)
        return transposed(d, steps::expandDims(d, x, dtype, 2), dtype, {0, 2, 3, 1});
    return axes == 2 ? channelsLast(d, x, dtype) : transposed(d, x, dtype, {0, 2, 3, 4, 1});
}

std::string fromPicture(LiftDraft& d, const std::string& x, std::size_t axes, DType dtype)
{
    if (axes == 3)
        return transposed(d, x, dtype, {0, 4, 1, 2, 3});
    const std::string made = channelsSecond(d, x, dtype);
    return axes == 2 ? made
                     : d.step("Squeeze", {made},
                              {typeAttr("T", dtype), {"squeeze_dims", attr::fromInts({2})}});
}

} // namespace lapidary
