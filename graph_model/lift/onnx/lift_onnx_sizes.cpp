// SPDX-License-Identifier: Apache-2.0
// Ops that read and change sizes.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Returns a list of sizes in which 0 is replaced by the size of x at that index.
std::string copiedSizes(LiftDraft& d, const std::string& x, DType dtype, const Ints& target)
{
    const std::string all = steps::sizes(d, x, dtype);
    std::vector<std::string> parts;
    Ints run;
    const auto flush = [&] {
        if (!run.empty())
            parts.push_back(d.longList(run));
        run.clear();
    };
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] != 0) {
            run.push_back(target[i]);
            continue;
        }
        flush();
        parts.push_back(steps::part(d, all, std::int64_t(i), 1));
    }
    flush();
    return parts.size() == 1 ? parts.front() : steps::concat(d, std::move(parts), 0, DType::Int64);
}

// Same for a computed list.
std::string copiedSizes(LiftDraft& d, const std::string& x, DType dtype, const std::string& target,
                        std::int64_t count, std::int64_t rank)
{
    std::string own = steps::sizes(d, x, dtype);
    if (rank > count)
        own = steps::part(d, own, 0, count);
    else if (rank < count)
        own = steps::concat(d, {own, d.longList(Ints(std::size_t(count - rank), 1))}, 0,
                            DType::Int64);
    const std::string isCopied = steps::both(d, "Equal", target, d.oneInt64(0), DType::Int64);
    return steps::select(d, isCopied, own, target, DType::Int64);
}

bool liftReshape(LiftDraft& d)
{
    const DType dtype = d.type(0);
    const bool copies = d.intAttr("allowzero", 0) == 0;
    const auto known = d.has(1) ? d.ints(1) : std::optional(d.intsAttr("shape"));
    if (known) {
        const auto zeros = std::ranges::count(*known, 0);
        const std::string x = d.in(0);
        d.give({copies && zeros > 0 ? steps::reshape(d, x, dtype, copiedSizes(d, x, dtype, *known))
                                    : reshaped(d, x, dtype, *known)});
        return true;
    }
    const TensorState target = d.state(1);
    const auto shape = d.shape(0);
    const bool mayCopy = copies && (!target.known || std::ranges::find(target.known->items, 0) !=
                                                         target.known->items.end());
    const std::string x = d.in(0);
    std::string list = d.in(1);
    const auto count = d.dims(1);
    constexpr std::int64_t mostAxes = 64;
    if (mayCopy && shape && count && count->size() == 1 && count->front() <= mostAxes &&
        d.type(1) == DType::Int64)
        list = copiedSizes(d, x, dtype, list, count->front(), std::int64_t(shape->dims.size()));
    d.give({steps::reshape(d, x, dtype, list, d.type(1))});
    return true;
}

bool liftSqueeze(LiftDraft& d)
{
    const auto axes = listOf(d, 1, "axes");
    if (!axes)
        return false;
    d.give({d.step("Squeeze", {d.in(0)},
                   {typeAttr("T", d.type(0)), {"squeeze_dims", attr::fromInts(*axes)}})});
    return true;
}

bool liftUnsqueeze(LiftDraft& d)
{
    const auto axes = listOf(d, 1, "axes");
    const auto shape = d.shape(0);
    constexpr std::size_t mostAxes = 64;
    if (!axes || axes->empty() || axes->size() > mostAxes || (axes->size() > 1 && !shape))
        return false;
    Ints places = *axes;
    if (places.size() > 1)
        for (std::int64_t& place : places)
            place += place < 0 ? std::int64_t(shape->dims.size() + places.size()) : 0;
    std::ranges::sort(places);
    std::string made = d.in(0);
    for (const std::int64_t place : places)
        made = steps::expandDims(d, made, d.type(0), place);
    d.give({made});
    return true;
}

bool liftFlatten(LiftDraft& d)
{
    const auto shape = d.shape(0);
    std::int64_t axis = d.intAttr("axis", 1);
    if (axis < 0 && !shape)
        return false;
    axis += axis < 0 ? std::int64_t(shape->dims.size()) : 0;
    if (axis < 0 || (shape && axis > std::int64_t(shape->dims.size())))
        return false;
    const DType dtype = d.type(0);
    const std::string x = d.in(0);
    if (axis == 0) {
        d.give({reshaped(d, x, dtype, {1, -1})});
        return true;
    }
    std::string first = steps::part(d, steps::sizes(d, x, dtype), 0, axis);
    if (axis > 1)
        first = steps::reduce(d, "Prod", first, DType::Int64, {0}, true);
    // Without empty axes the other size follows, and is given if it is known.
    std::int64_t rest = -1;
    if (shape && std::all_of(shape->dims.begin() + axis, shape->dims.end(),
                             [](std::int64_t dim) { return dim >= 0 && dim < (1 << 20); }))
        rest = std::accumulate(
            shape->dims.begin() + axis, shape->dims.end(), std::int64_t(1),
            [](std::int64_t a, std::int64_t b) { return a < (std::int64_t(1) << 40) ? a * b : a; });
    const std::string target = steps::concat(d, {first, d.longList({rest})}, 0, DType::Int64);
    d.give({steps::reshape(d, x, dtype, target)});
    return true;
}

// Other sizes may be larger than the requested ones.
bool liftExpand(LiftDraft& d)
{
    const auto from = d.dims(0);
    const DType dtype = d.type(0);
    const DType ofSizes = d.type(1);
    const std::string x = d.in(0);
    std::string target = d.in(1);
    if (!from || !std::ranges::all_of(*from, [](auto dim) { return dim == 1; }))
        target = d.step("BroadcastArgs", {steps::sizes(d, x, dtype, ofSizes), target},
                        {typeAttr("T", ofSizes)});
    d.give({d.step("BroadcastTo", {x, target}, {typeAttr("T", dtype), typeAttr("Tidx", ofSizes)})});
    return true;
}

bool liftShape(LiftDraft& d)
{
    std::string made = steps::sizes(d, d.in(0), d.type(0));
    if (d.node().hasAttr("start") || d.node().hasAttr("end")) {
        const auto shape = d.shape(0);
        if (!shape)
            return false;
        const auto rank = std::int64_t(shape->dims.size());
        const auto place = [&](std::string_view name, std::int64_t standard) {
            const std::int64_t given = d.intAttr(name, standard);
            return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
        };
        const std::int64_t first = place("start", 0);
        made = steps::part(d, made, first, std::max<std::int64_t>(place("end", rank) - first, 0));
    }
    d.give({made});
    return true;
}

bool liftSize(LiftDraft& d)
{
    d.give({d.step("Size", {d.in(0)},
                   {typeAttr("T", d.type(0)), typeAttr("out_type", DType::Int64)})});
    return true;
}

bool liftFilled(LiftDraft& d)
{
    const AttrValue value = d.node().attr("value");
    std::string item;
    DType dtype = DType::Float;
    if (value.kind() == AttrKind::Tensor) {
        const auto tensor = d.node().tensor();
        if (!tensor || tensor->elements() != 1)
            return false;
        dtype = tensor->dtype();
        item = d.step("Const", {},
                      {typeAttr("dtype", dtype), {"value", std::string(value.encoded())}});
        item = reshaped(d, item, dtype, {});
    } else {
        item = d.oneFloat(0);
    }
    d.give({d.step("Fill", {d.in(0), item},
                   {typeAttr("T", dtype), typeAttr("index_type", d.type(0))})});
    return true;
}

// Slices one axis after the other, because their bounds are computed.
bool liftComputedSlice(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto count = d.dims(1);
    const auto axes = listOf(d, 3, "axes");
    const auto paces = listOf(d, 4, "");
    if (!shape || !count || count->size() != 1 || !axes || !paces ||
        (!axes->empty() && std::int64_t(axes->size()) != (*count)[0]))
        return false;
    const auto rank = std::int64_t(shape->dims.size());
    const DType index = d.type(1);
    std::string made = d.in(0);
    for (std::int64_t i = 0; i < (*count)[0]; ++i) {
        std::int64_t axis = axes->empty() ? i : (*axes)[std::size_t(i)];
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank || rank > 31)
            return false;
        const auto placed = [&](std::size_t slot) {
            return d.step("Pad",
                          {steps::part(d, d.in(slot), i, 1, index),
                           d.intMatrix({1, 2}, {axis, rank - 1 - axis})},
                          {typeAttr("T", index), typeAttr("Tpaddings", DType::Int32)});
        };
        Ints pace(std::size_t(rank), 1);
        if (std::size_t(i) < paces->size())
            pace[std::size_t(axis)] = (*paces)[std::size_t(i)];
        const std::int64_t open = ((std::int64_t(1) << rank) - 1) & ~(std::int64_t(1) << axis);
        const std::string first = placed(1);
        const std::string last = placed(2);
        const std::string by = index == DType::Int64 ? d.longList(pace) : d.intList(pace);
        made = d.step("StridedSlice", {made, first, last, by},
                      {typeAttr("T", d.type(0)),
                       typeAttr("Index", index),
                       {"begin_mask", attr::fromInt(open)},
                       {"end_mask", attr::fromInt(open)},
                       {"ellipsis_mask", attr::fromInt(0)},
                       {"new_axis_mask", attr::fromInt(0)},
                       {"shrink_axis_mask", attr::fromInt(0)}});
    }
    d.give({made});
    return true;
}

bool liftSlice(LiftDraft& d)
{
    if (d.has(1) && (!d.ints(1) || !d.ints(2)))
        return liftComputedSlice(d);
    const auto shape = d.shape(0);
    const auto starts = listOf(d, 1, "starts");
    const auto ends = listOf(d, 2, "ends");
    const auto axes = listOf(d, 3, "axes");
    const auto paces = listOf(d, 4, "");
    constexpr std::size_t mostAxes = 31; // bits of a mask
    if (!shape || !starts || !ends || !axes || !paces || starts->size() != ends->size() ||
        shape->dims.size() > mostAxes)
        return false;
    const auto rank = shape->dims.size();
    Ints begin(rank, 0);
    Ints end(rank, 0);
    Ints pace(rank, 1);
    std::int64_t openBegin = (std::int64_t(1) << rank) - 1;
    std::int64_t openEnd = openBegin;
    for (std::size_t i = 0; i < starts->size(); ++i) {
        std::int64_t axis = i < axes->size() ? (*axes)[i] : std::int64_t(i);
        axis += axis < 0 ? std::int64_t(rank) : 0;
        if (axis < 0 || axis >= std::int64_t(rank))
            return false;
        const auto at = std::size_t(axis);
        const std::int64_t bit = std::int64_t(1) << axis;
        pace[at] = i < paces->size() ? (*paces)[i] : 1;
        begin[at] = (*starts)[i];
        end[at] = (*ends)[i];
        openBegin &= ~bit;
        // Backwards to a bound before the first element: includes that element.
        const bool goesToFirst = pace[at] < 0 && end[at] < -(std::int64_t(1) << 30);
        openEnd = goesToFirst ? openEnd : openEnd & ~bit;
    }
    const std::string first = d.intList(begin);
    const std::string last = d.intList(end);
    const std::string by = d.intList(pace);
    d.give({d.step("StridedSlice", {d.in(0), first, last, by},
                   {typeAttr("T", d.type(0)),
                    typeAttr("Index", DType::Int32),
                    {"begin_mask", attr::fromInt(openBegin)},
                    {"end_mask", attr::fromInt(openEnd)},
                    {"ellipsis_mask", attr::fromInt(0)},
                    {"new_axis_mask", attr::fromInt(0)},
                    {"shrink_axis_mask", attr::fromInt(0)}})});
    return true;
}

constexpr std::array sized = std::to_array<OnnxLift>({
    {"ConstantOfShape", liftFilled},
    {"Expand", liftExpand},
    {"Flatten", liftFlatten},
    {"Reshape", liftReshape},
    {"Shape", liftShape},
    {"Size", liftSize},
    {"Slice", liftSlice},
    {"Squeeze", liftSqueeze},
    {"Unsqueeze", liftUnsqueeze},
});

} // namespace

bool liftOnnxSizes(LiftDraft& draft)
{
    return liftFrom(sized, draft);
}

} // namespace lapidary
