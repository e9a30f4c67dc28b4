// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/lift/onnx/onnx_window.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr float lowest = -std::numeric_limits<float>::infinity();
constexpr std::int64_t mostSlices = 256; // of a dilated pool; each becomes a node

Ints sums(const Ints& a, const Ints& b)
{
    Ints made(a);
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] += b[i];
    return made;
}

// The mean of what counts: sums, over the number of the elements in each window that do.
std::string meanOf(LiftDraft& d, const std::string& picture, const OnnxWindow& w,
                   std::string_view op, const LiftDraft::Attrs& attrs, bool countsPadding)
{
    const Ints behind = sums(w.after, w.spare);
    std::string ones = d.step("OnesLike", {picture}, {typeAttr("T", DType::Float)});
    if (countsPadding) {
        const Ints none(w.axes(), 0);
        ones = withBorders(d, withBorders(d, ones, w.before, w.after, 1), none, w.spare, 0);
    } else {
        ones = withBorders(d, ones, w.before, behind, 0);
    }
    const std::string sum = d.step(op, {withBorders(d, picture, w.before, behind, 0)}, attrs);
    const std::string share = d.step(op, {ones}, attrs);
    return d.step("Div", {sum, share}, floats());
}

// The largest of slices that lie as far apart as the window says.
bool liftDilated(LiftDraft& d, const OnnxWindow& window, std::size_t axes)
{
    const auto shape = d.shape(0);
    if (!shape || shape->dims.size() != axes + 2 || window.axes() != 2 || window.isSame)
        return false;
    const std::int64_t slices = window.size[0] * window.size[1];
    if (slices > mostSlices)
        return false;
    Ints made(2, 1);
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const bool isNew = axes == 1 && axis == 0;
        const std::int64_t size = isNew ? 1 : shape->dims[axis + axes];
        const std::int64_t whole = std::min(size, mostOnnxSize) + window.before[axis] +
                                   window.after[axis] + window.spare[axis];
        if (size < 1 || size > mostOnnxSize || whole < window.reach(axis))
            return false;
        made[axis] = (whole - window.reach(axis)) / window.stride[axis] + 1;
    }
    const std::string picture =
        withBorders(d, toPicture(d, d.in(0), axes, DType::Float), window.before,
                    sums(window.after, window.spare), lowest);
    std::string largest;
    for (std::int64_t i = 0; i < slices; ++i) {
        const Ints at{i / window.size[1] * window.dilation[0],
                      i % window.size[1] * window.dilation[1]};
        const std::string first = d.intList({0, at[0], at[1], 0});
        const std::string last = d.intList({0, at[0] + (made[0] - 1) * window.stride[0] + 1,
                                            at[1] + (made[1] - 1) * window.stride[1] + 1, 0});
        const std::string pace = d.intList(OnnxWindow::inner(window.stride));
        const std::string slice = d.step("StridedSlice", {picture, first, last, pace},
                                         {typeAttr("T", DType::Float),
                                          typeAttr("Index", DType::Int32),
                                          {"begin_mask", attr::fromInt(0b1001)},
                                          {"end_mask", attr::fromInt(0b1001)},
                                          {"ellipsis_mask", attr::fromInt(0)},
                                          {"new_axis_mask", attr::fromInt(0)},
                                          {"shrink_axis_mask", attr::fromInt(0)}});
        largest = i == 0 ? slice : steps::both(d, "Maximum", largest, slice);
    }
    d.give({fromPicture(d, largest, axes, DType::Float)});
    return true;
}

bool liftPool(LiftDraft& d)
{
    const bool isMax = d.node().op() == "MaxPool";
    const auto given = windowOf(d, {});
    const DType dtype = d.type(0);
    const bool isByte = isMax && (dtype == DType::UInt8 || dtype == DType::Int8);
    if (!given || (dtype != DType::Float && !isByte) ||
        d.node().attr("_output_types").types().size() > 1)
        return false;
    const std::size_t axes = given->axes();
    const OnnxWindow window = withTwoAxes(*given);
    if (window.isDilated())
        return isMax && !isByte && liftDilated(d, window, axes);
    LiftDraft::Attrs attrs = window.attrs();
    attrs.emplace_back("ksize", attr::fromInts(OnnxWindow::inner(window.size)));
    const std::string op = std::string(isMax ? "MaxPool" : "AvgPool") + (axes == 3 ? "3D" : "");
    const std::string picture =
        toPicture(d, steps::cast(d, d.in(0), dtype, DType::Float), axes, DType::Float);
    const bool countsPadding = d.intAttr("count_include_pad", 0) != 0;
    if (window.isSame && countsPadding)
        return false;
    std::string made;
    if (isMax)
        made = d.step(
            op, {withBorders(d, picture, window.before, sums(window.after, window.spare), lowest)},
            attrs);
    else if (window.isPadded())
        made = meanOf(d, picture, window, op, attrs, countsPadding);
    else
        made = d.step(op, {picture}, attrs);
    d.give({steps::cast(d, fromPicture(d, made, axes, DType::Float), DType::Float, dtype)});
    return true;
}

// The p-th root of the sum of p-th powers.
bool liftPowerPool(LiftDraft& d)
{
    const std::int64_t p = d.intAttr("p", 2);
    const auto given = windowOf(d, {});
    if (!given || d.type(0) != DType::Float || p < 1)
        return false;
    const std::size_t axes = given->axes();
    const OnnxWindow window = withTwoAxes(*given);
    if (window.isDilated() || window.isSame)
        return false;
    LiftDraft::Attrs attrs = window.attrs();
    attrs.emplace_back("ksize", attr::fromInts(OnnxWindow::inner(window.size)));
    const std::string picture = toPicture(d, d.in(0), axes, DType::Float);
    std::string power = steps::one(d, "Abs", picture);
    if (p != 1)
        power = steps::both(d, "Pow", power, d.oneFloat(float(p)));
    std::string made =
        d.step(axes == 3 ? "AvgPool3D" : "AvgPool",
               {withBorders(d, power, window.before, sums(window.after, window.spare), 0)}, attrs);
    float count = 1;
    for (const std::int64_t size : window.size)
        count *= float(size);
    made = steps::both(d, "Mul", made, d.oneFloat(count));
    if (p != 1)
        made = steps::both(d, "Pow", made, d.oneFloat(1 / float(p)));
    d.give({fromPicture(d, made, axes, DType::Float)});
    return true;
}

bool liftGlobalPool(LiftDraft& d)
{
    const auto shape = d.shape(0);
    Ints axes{2, 3}; // of pictures, where nothing says how many axes there are
    if (shape) {
        axes.clear();
        for (std::size_t axis = 2; axis < shape->dims.size(); ++axis)
            axes.push_back(std::int64_t(axis));
    }
    d.give({steps::reduce(d, d.node().op() == "GlobalMaxPool" ? "Max" : "Mean", d.in(0), d.type(0),
                          axes, true)});
    return true;
}

constexpr std::array pools = std::to_array<OnnxLift>({
    {"AveragePool", liftPool},
    {"GlobalAveragePool", liftGlobalPool},
    {"GlobalMaxPool", liftGlobalPool},
    {"LpPool", liftPowerPool},
    {"MaxPool", liftPool},
});

} // namespace

bool liftOnnxPool(LiftDraft& draft)
{
    return liftFrom(pools, draft);
}

} // namespace lapidary
