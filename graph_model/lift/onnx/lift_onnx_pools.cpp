// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/lift/onnx/onnx_window.h"
#include "graph_model/lift/onnx/sliced_pool.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr float lowest = -std::numeric_limits<float>::infinity();

Ints sums(const Ints& a, const Ints& b)
{
    Ints made(a);
    for (std::size_t i = 0; i < made.size(); ++i)
        made[i] += b[i];
    return made;
}

// Returns the means of the elements that count: their sums divided by their number in each window.
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

LiftDraft::Attrs poolAttrs(const OnnxWindow& window)
{
    LiftDraft::Attrs attrs = window.attrs();
    attrs.emplace_back("ksize", attr::fromInts(OnnxWindow::inner(window.size)));
    return attrs;
}

// Returns the mean in each window over [n, c, ...].
std::string averaged(LiftDraft& d, const std::string& x, const OnnxWindow& window, std::size_t axes)
{
    const std::string op = axes == 3 ? "AvgPool3D" : "AvgPool";
    const std::string picture = toPicture(d, x, axes, DType::Float);
    const std::string made = window.isPadded() ? meanOf(d, picture, window, op, poolAttrs(window),
                                                        d.intAttr("count_include_pad", 0) != 0)
                                               : d.step(op, {picture}, poolAttrs(window));
    return fromPicture(d, made, axes, DType::Float);
}

// Lifts a pool that TensorFlow's ops lack to slices.
bool liftSliced(LiftDraft& d, const OnnxWindow& window, std::size_t axes)
{
    const bool isMax = d.node().op() == "MaxPool";
    const auto pool = SlicedPool::of(d, window, axes);
    if (!pool)
        return false;
    const DType dtype = d.type(0);
    const std::string picture =
        toPicture(d, steps::cast(d, d.in(0), dtype, DType::Float), axes, DType::Float);
    const auto result = [&](const std::string& made) {
        return steps::cast(d, fromPicture(d, made, axes, DType::Float), DType::Float, dtype);
    };
    if (!isMax) {
        const std::string counts = pool->counts(d, d.intAttr("count_include_pad", 0) != 0);
        d.give({result(steps::both(d, "Div", pool->joined(d, "AddV2", picture, 0), counts))});
        return true;
    }
    if (d.node().attr("_output_types").types().size() < 2) {
        d.give({result(pool->joined(d, "Maximum", picture, lowest))});
        return true;
    }
    if (!pool->tellsPlaces())
        return false;
    const auto largest = pool->largest(d, picture, d.intAttr("storage_order", 0) != 0);
    const std::string values = result(largest.values);
    d.give({values, fromPicture(d, largest.places, axes, DType::Int64)});
    return true;
}

bool liftPool(LiftDraft& d)
{
    const bool isMax = d.node().op() == "MaxPool";
    const auto given = windowOf(d, {});
    const DType dtype = d.type(0);
    const bool isByte = isMax && (dtype == DType::UInt8 || dtype == DType::Int8);
    if (!given || (dtype != DType::Float && !isByte))
        return false;
    const std::size_t axes = given->axes();
    const OnnxWindow window = withTwoAxes(*given);
    const bool countsPadding = d.intAttr("count_include_pad", 0) != 0;
    if (window.isDilated() || d.node().attr("_output_types").types().size() > 1 ||
        (!isMax && window.isSame && countsPadding))
        return liftSliced(d, window, axes);
    if (!isMax) {
        d.give({averaged(d, d.in(0), window, axes)});
        return true;
    }
    const std::string picture =
        toPicture(d, steps::cast(d, d.in(0), dtype, DType::Float), axes, DType::Float);
    const std::string made =
        d.step(axes == 3 ? "MaxPool3D" : "MaxPool",
               {withBorders(d, picture, window.before, sums(window.after, window.spare), lowest)},
               poolAttrs(window));
    d.give({steps::cast(d, fromPicture(d, made, axes, DType::Float), DType::Float, dtype)});
    return true;
}

// Computes the p-th root of the sum of p-th powers.
bool liftPowerPool(LiftDraft& d)
{
    const std::int64_t p = d.intAttr("p", 2);
    const auto given = windowOf(d, {});
    if (!given || d.type(0) != DType::Float || p < 1)
        return false;
    const std::size_t axes = given->axes();
    const OnnxWindow window = withTwoAxes(*given);
    const bool isPlain = !window.isDilated() && !window.isSame;
    const auto sliced = isPlain ? std::nullopt : SlicedPool::of(d, window, axes);
    if (!isPlain && !sliced)
        return false;
    const LiftDraft::Attrs attrs = poolAttrs(window);
    const std::string picture = toPicture(d, d.in(0), axes, DType::Float);
    std::string power = steps::one(d, "Abs", picture);
    if (p != 1)
        power = steps::both(d, "Pow", power, d.oneFloat(float(p)));
    std::string made;
    if (isPlain) {
        made = d.step(axes == 3 ? "AvgPool3D" : "AvgPool",
                      {withBorders(d, power, window.before, sums(window.after, window.spare), 0)},
                      attrs);
        float count = 1;
        for (const std::int64_t size : window.size)
            count *= float(size);
        made = steps::both(d, "Mul", made, d.oneFloat(count));
    } else {
        made = sliced->joined(d, "AddV2", power, 0);
    }
    if (p != 1)
        made = steps::both(d, "Pow", made, d.oneFloat(1 / float(p)));
    d.give({fromPicture(d, made, axes, DType::Float)});
    return true;
}

// Writes each value to its original position before the pool, and zeros elsewhere; an output that
// is larger than the pool's input is padded at the end.
bool liftUnpool(LiftDraft& d)
{
    const auto window = windowOf(d, {});
    const auto dims = d.dims(0);
    const auto asked = d.has(2) ? d.ints(2) : Ints();
    if (!window || window->isSame || !dims || dims->size() != window->axes() + 2 || !asked ||
        (!asked->empty() && asked->size() != dims->size()))
        return false;
    Ints sizes(*dims);
    if (std::ranges::any_of(sizes, [](std::int64_t size) { return size > mostOnnxSize; }))
        return false;
    std::int64_t all = sizes[0] * sizes[1];
    for (std::size_t axis = 0; axis < window->axes(); ++axis) {
        std::int64_t& size = sizes[axis + 2];
        size = (std::min(size, mostOnnxSize) - 1) * window->stride[axis] + window->reach(axis) -
               window->before[axis] - window->after[axis];
        if (size < 1 || size > mostOnnxSize || all > mostOnnxSize)
            return false;
        all *= size;
    }
    const DType dtype = d.type(0);
    const std::string places = reshaped(d, d.in(1), DType::Int64, {-1, 1});
    const std::string values = reshaped(d, d.in(0), dtype, {-1});
    std::string made = d.step("ScatterNd", {places, values, d.longList({all})},
                              {typeAttr("T", dtype), typeAttr("Tindices", DType::Int64)});
    made = reshaped(d, made, dtype, sizes);
    Ints pairs;
    for (std::size_t axis = 0; axis < asked->size(); ++axis) {
        const std::int64_t missing = (*asked)[axis] - sizes[axis];
        if (missing < 0 || missing > mostOnnxSize)
            return false;
        pairs.insert(pairs.end(), {0, missing});
    }
    if (std::ranges::any_of(pairs, [](std::int64_t border) { return border != 0; }))
        made = d.step("Pad", {made, d.intMatrix({std::int64_t(pairs.size() / 2), 2}, pairs)},
                      {typeAttr("T", dtype), typeAttr("Tpaddings", DType::Int32)});
    d.give({made});
    return true;
}

bool liftGlobalPool(LiftDraft& d)
{
    const auto shape = d.shape(0);
    Ints axes{2, 3}; // those of pictures, if the rank is unknown
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
    {"MaxUnpool", liftUnpool},
});

} // namespace

std::string averagePooled(LiftDraft& draft, const std::string& x)
{
    const auto window = windowOf(draft, {});
    const bool countsPadding = draft.intAttr("count_include_pad", 0) != 0;
    if (!window || window->isDilated() || (window->isSame && countsPadding))
        return {};
    return averaged(draft, x, withTwoAxes(*window), window->axes());
}

bool liftOnnxPool(LiftDraft& draft)
{
    return liftFrom(pools, draft);
}

} // namespace lapidary
