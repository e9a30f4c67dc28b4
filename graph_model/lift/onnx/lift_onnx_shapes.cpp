// SPDX-License-Identifier: Apache-2.0
// Ops that move elements.
#include "graph_model/lift/lift_rows.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// At most one size is not known: the one that follows from the others.
std::optional<Ints> targetOf(const LiftDraft& d)
{
    const auto shape = d.outShape();
    if (!shape || std::ranges::count_if(shape->dims, [](auto dim) { return dim < 0; }) > 1)
        return std::nullopt;
    return shape->dims;
}

// Reshape, Flatten, Squeeze and Unsqueeze: the result's sizes say it all.
bool liftReshape(LiftDraft& d)
{
    const DType dtype = d.type(0);
    if (const auto target = targetOf(d)) {
        d.give({reshaped(d, d.in(0), dtype, *target)});
        return true;
    }
    if (d.node().op() != "Reshape" || !d.has(1))
        return false;
    if (const auto sizes = d.ints(1); sizes && std::ranges::find(*sizes, 0) != sizes->end())
        return false; // 0 copies a size
    d.give({d.step("Reshape", {d.in(0), d.in(1)},
                   {typeAttr("T", dtype), typeAttr("Tshape", d.type(1))})});
    return true;
}

// Flattens a tensor of unknown sizes: keeps the first one.
bool liftFlatten(LiftDraft& d)
{
    if (targetOf(d) || d.intAttr("axis", 1) != 1)
        return liftReshape(d);
    const DType dtype = d.type(0);
    const std::string x = d.in(0);
    const std::string sizes =
        d.step("Shape", {x}, {typeAttr("T", dtype), typeAttr("out_type", DType::Int32)});
    const std::string zero = d.intList({0});
    const std::string first =
        d.step("Slice", {sizes, zero, d.intList({1})},
               {typeAttr("T", DType::Int32), typeAttr("Index", DType::Int32)});
    const std::string rest = d.intList({-1});
    const std::string target = d.step(
        "ConcatV2", {first, rest, d.oneInt(0)},
        {typeAttr("T", DType::Int32), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(2)}});
    d.give(
        {d.step("Reshape", {x, target}, {typeAttr("T", dtype), typeAttr("Tshape", DType::Int32)})});
    return true;
}

bool liftTranspose(LiftDraft& d)
{
    const auto shape = d.shape(0);
    Ints order = d.intsAttr("perm");
    if (order.empty() && !shape)
        return false;
    for (std::size_t axis = 0; order.empty() && axis < shape->dims.size(); ++axis)
        order.insert(order.begin(), std::int64_t(axis));
    d.give({transposed(d, d.in(0), d.type(0), order)});
    return true;
}

bool liftConcat(LiftDraft& d)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        inputs.push_back(d.in(slot));
    const auto count = std::int64_t(inputs.size());
    if (count == 1) {
        d.give({d.step("Identity", inputs, {typeAttr("T", d.type(0))})});
        return true;
    }
    inputs.push_back(d.oneInt(d.intAttr("axis", 0)));
    d.give({d.step(
        "ConcatV2", inputs,
        {typeAttr("T", d.type(0)), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(count)}})});
    return true;
}

bool liftSplit(LiftDraft& d)
{
    const auto count = std::int64_t(d.node().attr("_output_types").types().size());
    Ints sizes = d.has(1) ? d.ints(1).value_or(Ints{}) : d.intsAttr("split");
    const std::int64_t axis = d.intAttr("axis", 0);
    const auto shape = d.shape(0);
    if (sizes.empty() && shape) {
        const auto rank = std::int64_t(shape->dims.size());
        const std::int64_t place = axis < 0 ? axis + rank : axis;
        const std::int64_t whole =
            place >= 0 && place < rank ? shape->dims[std::size_t(place)] : -1;
        if (whole < 0 || count < 1 || whole % count != 0)
            return false;
        sizes.assign(std::size_t(count), whole / count);
    }
    if (std::int64_t(sizes.size()) != count || count < 1)
        return false;
    const std::string list = d.intList(sizes);
    const std::string place = d.oneInt(axis);
    const std::string made = d.step("SplitV", {d.in(0), list, place},
                                    {typeAttr("T", d.type(0)),
                                     typeAttr("Tlen", DType::Int32),
                                     {"num_split", attr::fromInt(count)}});
    std::vector<std::string> outputs{made};
    for (std::int64_t port = 1; port < count; ++port)
        outputs.push_back(tensorName(made, std::int32_t(port)));
    d.give(std::move(outputs));
    return true;
}

// Bounds are inputs, before opset 10 attributes.
std::optional<Ints> boundsOf(const LiftDraft& d, std::size_t slot, std::string_view attr)
{
    if (d.has(slot))
        return d.ints(slot);
    const Ints values = d.intsAttr(attr);
    return values.empty() ? std::nullopt : std::optional(values);
}

bool liftSlice(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto starts = boundsOf(d, 1, "starts");
    const auto ends = boundsOf(d, 2, "ends");
    constexpr std::size_t mostAxes = 32; // bits of a mask
    if (!shape || !starts || !ends || starts->size() != ends->size() ||
        shape->dims.size() > mostAxes)
        return false;
    const auto rank = shape->dims.size();
    const auto axes = boundsOf(d, 3, "axes");
    const auto steps = boundsOf(d, 4, "");
    Ints begin(rank, 0);
    Ints end(rank, 0);
    Ints step(rank, 1);
    std::int64_t openBegin = (std::int64_t(1) << rank) - 1;
    std::int64_t openEnd = openBegin;
    for (std::size_t i = 0; i < starts->size(); ++i) {
        std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : std::int64_t(i);
        axis += axis < 0 ? std::int64_t(rank) : 0;
        if (axis < 0 || axis >= std::int64_t(rank))
            return false;
        const auto at = std::size_t(axis);
        const std::int64_t bit = std::int64_t(1) << axis;
        step[at] = steps && i < steps->size() ? (*steps)[i] : 1;
        begin[at] = (*starts)[i];
        end[at] = (*ends)[i];
        openBegin &= ~bit;
        // Backward to a bound before the first element: with it.
        const bool goesToFirst = step[at] < 0 && end[at] < -(std::int64_t(1) << 30);
        openEnd = goesToFirst ? openEnd : openEnd & ~bit;
    }
    const std::string first = d.intList(begin);
    const std::string last = d.intList(end);
    const std::string pace = d.intList(step);
    d.give({d.step("StridedSlice", {d.in(0), first, last, pace},
                   {typeAttr("T", d.type(0)),
                    typeAttr("Index", DType::Int32),
                    {"begin_mask", attr::fromInt(openBegin)},
                    {"end_mask", attr::fromInt(openEnd)},
                    {"ellipsis_mask", attr::fromInt(0)},
                    {"new_axis_mask", attr::fromInt(0)},
                    {"shrink_axis_mask", attr::fromInt(0)}})});
    return true;
}

bool liftGather(LiftDraft& d)
{
    const std::string axis = d.oneInt(d.intAttr("axis", 0));
    d.give({d.step("GatherV2", {d.in(0), d.in(1), axis},
                   {typeAttr("Tparams", d.type(0)),
                    typeAttr("Tindices", d.type(1)),
                    typeAttr("Taxis", DType::Int32),
                    {"batch_dims", attr::fromInt(0)}})});
    return true;
}

bool liftGatherNd(LiftDraft& d)
{
    if (d.intAttr("batch_dims", 0) != 0)
        return false;
    d.give({d.step("GatherNd", {d.in(0), d.in(1)},
                   {typeAttr("Tparams", d.type(0)), typeAttr("Tindices", d.type(1))})});
    return true;
}

bool liftExpand(LiftDraft& d)
{
    const auto target = d.outDims();
    const auto from = d.dims(0);
    const bool isOne = from && std::ranges::all_of(*from, [](auto dim) { return dim == 1; });
    if (target)
        d.give({d.step("BroadcastTo", {d.in(0), d.intList(*target)},
                       {typeAttr("T", d.type(0)), typeAttr("Tidx", DType::Int32)})});
    else if (isOne) // other sizes may be larger than those that are asked for
        d.give({d.step("BroadcastTo", {d.in(0), d.in(1)},
                       {typeAttr("T", d.type(0)), typeAttr("Tidx", d.type(1))})});
    return target || isOne;
}

bool liftTile(LiftDraft& d)
{
    d.give({d.step("Tile", {d.in(0), d.in(1)},
                   {typeAttr("T", d.type(0)), typeAttr("Tmultiples", d.type(1))})});
    return true;
}

// Paddings that are computed: all in front of the axes, then all behind.
bool liftComputedPad(LiftDraft& d)
{
    const auto count = d.dims(1);
    const std::string_view mode = d.textAttr("mode");
    if (!count || count->size() != 1 || d.has(2) || d.has(3) ||
        (!mode.empty() && mode != "constant"))
        return false;
    const std::string sides = reshaped(d, d.in(1), d.type(1), {2, count->front() / 2});
    const std::string pairs = transposed(d, sides, d.type(1), {1, 0});
    d.give({d.step("Pad", {d.in(0), pairs},
                   {typeAttr("T", d.type(0)), typeAttr("Tpaddings", d.type(1))})});
    return true;
}

bool liftPad(LiftDraft& d)
{
    if (d.has(1) && !d.ints(1))
        return liftComputedPad(d);
    const auto pads = boundsOf(d, 1, "pads");
    const std::string_view mode = d.textAttr("mode");
    const bool isReflected = mode == "reflect";
    if (!pads || pads->size() % 2 != 0 || d.has(3) ||
        (!isReflected && !mode.empty() && mode != "constant") ||
        std::ranges::any_of(*pads, [](std::int64_t pad) { return pad < 0; }))
        return false;
    const std::size_t rank = pads->size() / 2;
    Ints pairs;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        pairs.push_back((*pads)[axis]);
        pairs.push_back((*pads)[rank + axis]);
    }
    const std::string sizes = d.intMatrix({std::int64_t(rank), 2}, pairs);
    LiftDraft::Attrs attrs{typeAttr("T", d.type(0)), typeAttr("Tpaddings", DType::Int32)};
    std::vector<std::string> inputs{d.in(0), sizes};
    if (isReflected)
        attrs.emplace_back("mode", attr::fromString("REFLECT"));
    else if (d.has(2))
        inputs.push_back(d.in(2));
    else if (d.floatAttr("value", 0) != 0)
        inputs.push_back(d.oneFloat(d.floatAttr("value", 0)));
    d.give({d.step(isReflected         ? "MirrorPad"
                   : inputs.size() > 2 ? "PadV2"
                                       : "Pad",
                   inputs, std::move(attrs))});
    return true;
}

bool liftShape(LiftDraft& d)
{
    if (d.node().hasAttr("start") || d.node().hasAttr("end"))
        return false;
    d.give({d.step("Shape", {d.in(0)},
                   {typeAttr("T", d.type(0)), typeAttr("out_type", DType::Int64)})});
    return true;
}

bool liftTopK(LiftDraft& d)
{
    const auto count = d.ints(1);
    const auto shape = d.shape(0);
    const std::int64_t axis = d.intAttr("axis", -1);
    if ((count && count->size() != 1) || !d.has(1) || !shape ||
        (axis != -1 && axis != std::int64_t(shape->dims.size()) - 1) ||
        d.intAttr("largest", 1) == 0)
        return false;
    std::string number;
    if (count) {
        number = d.oneInt((*count)[0]);
    } else {
        const std::string one = reshaped(d, d.in(1), d.type(1), {});
        number =
            d.step("Cast", {one}, {typeAttr("SrcT", d.type(1)), typeAttr("DstT", DType::Int32)});
    }
    const std::string made = d.step("TopKV2", {d.in(0), number},
                                    {typeAttr("T", d.type(0)), {"sorted", attr::fromBool(true)}});
    const std::string places = d.step(
        "Cast", {made + ":1"}, {typeAttr("SrcT", DType::Int32), typeAttr("DstT", DType::Int64)});
    d.give({made, places});
    return true;
}

bool liftCumSum(LiftDraft& d)
{
    d.give({d.step("Cumsum", {d.in(0), d.in(1)},
                   {typeAttr("T", d.type(0)),
                    typeAttr("Tidx", d.type(1)),
                    {"exclusive", attr::fromBool(d.intAttr("exclusive", 0) != 0)},
                    {"reverse", attr::fromBool(d.intAttr("reverse", 0) != 0)}})});
    return true;
}

bool liftReverseSequence(LiftDraft& d)
{
    d.give({d.step("ReverseSequence", {d.in(0), d.in(1)},
                   {typeAttr("T", d.type(0)),
                    typeAttr("Tlen", d.type(1)),
                    {"seq_dim", attr::fromInt(d.intAttr("time_axis", 0))},
                    {"batch_dim", attr::fromInt(d.intAttr("batch_axis", 1))}})});
    return true;
}

// One picture and one class: what is found is [0, 0, place].
bool liftSuppression(LiftDraft& d)
{
    const auto boxes = d.dims(0);
    const auto scores = d.dims(1);
    const auto most = d.ints(2);
    if (!boxes || boxes->size() != 3 || boxes->front() != 1 || !scores || scores->size() != 3 ||
        (*scores)[0] != 1 || (*scores)[1] != 1 || !most || most->size() != 1 ||
        d.intAttr("center_point_box", 0) != 0)
        return false;
    const auto limit = [&](std::size_t slot, float standard) {
        const auto given = d.has(slot) ? d.numbers(slot) : std::vector<double>{double(standard)};
        return given && given->size() == 1 ? std::optional(float(given->front())) : std::nullopt;
    };
    const auto overlap = limit(3, 0);
    const auto least = limit(4, std::numeric_limits<float>::lowest());
    if (!overlap || !least)
        return false;
    const std::int64_t count = (*boxes)[1];
    const std::string places =
        d.step("NonMaxSuppressionV3",
               {reshaped(d, d.in(0), DType::Float, {count, 4}),
                reshaped(d, d.in(1), DType::Float, {count}), d.oneInt(most->front()),
                d.oneFloat(*overlap), d.oneFloat(*least)},
               {typeAttr("T", DType::Float)});
    const std::string wide =
        d.step("Cast", {places}, {typeAttr("SrcT", DType::Int32), typeAttr("DstT", DType::Int64)});
    const std::string column = reshaped(d, wide, DType::Int64, {-1, 1});
    d.give({d.step("Pad", {column, d.intMatrix({2, 2}, {0, 0, 2, 0})},
                   {typeAttr("T", DType::Int64), typeAttr("Tpaddings", DType::Int32)})});
    return true;
}

bool liftRange(LiftDraft& d)
{
    d.give({d.step("Range", {d.in(0), d.in(1), d.in(2)}, {typeAttr("Tidx", d.type(0))})});
    return true;
}

// Between 0 and 1, or with mean 0 and deviation 1, stretched and moved.
bool liftRandom(LiftDraft& d)
{
    const bool isUniform = d.node().op() == "RandomUniform";
    const float low = isUniform ? d.floatAttr("low", 0) : d.floatAttr("mean", 0);
    const float width = isUniform ? d.floatAttr("high", 1) - low : d.floatAttr("scale", 1);
    const LiftDraft::Attrs floats{typeAttr("T", DType::Float)};
    if (d.outType() != DType::Float)
        return false;
    std::string made = d.step(isUniform ? "RandomUniform" : "RandomStandardNormal",
                              {d.intList(d.intsAttr("shape"))},
                              {typeAttr("T", DType::Int32), typeAttr("dtype", DType::Float)});
    if (width != 1)
        made = d.step("Mul", {made, d.oneFloat(width)}, floats);
    if (low != 0)
        made = d.step("AddV2", {made, d.oneFloat(low)}, floats);
    d.give({made});
    return true;
}

struct Mover {
    std::string_view op;
    bool (*lift)(LiftDraft& draft);
};

constexpr std::array movers = std::to_array<Mover>({
    {"Concat", liftConcat},
    {"CumSum", liftCumSum},
    {"Expand", liftExpand},
    {"Flatten", liftFlatten},
    {"Gather", liftGather},
    {"GatherND", liftGatherNd},
    {"NonMaxSuppression", liftSuppression},
    {"Pad", liftPad},
    {"RandomNormal", liftRandom},
    {"RandomUniform", liftRandom},
    {"Range", liftRange},
    {"Reshape", liftReshape},
    {"ReverseSequence", liftReverseSequence},
    {"Shape", liftShape},
    {"Slice", liftSlice},
    {"Split", liftSplit},
    {"Squeeze", liftReshape},
    {"Tile", liftTile},
    {"TopK", liftTopK},
    {"Transpose", liftTranspose},
    {"Unsqueeze", liftReshape},
});

} // namespace

bool liftOnnxShape(LiftDraft& draft)
{
    const auto found = std::ranges::find(movers, draft.node().op(), &Mover::op);
    return found != movers.end() && found->lift(draft);
}

} // namespace lapidary
