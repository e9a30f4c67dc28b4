// SPDX-License-Identifier: Apache-2.0
// Ops that move elements.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/onnx/onnx_model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

bool liftTranspose(LiftDraft& d)
{
    const auto shape = d.shape(0);
    Ints order = d.intsAttr("perm");
    if (order.empty() && !shape)
        return false;
    const bool isTurned = order.empty();
    for (std::size_t axis = 0; isTurned && axis < shape->dims.size(); ++axis)
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

constexpr std::int64_t mostParts = 1 << 16;

std::string splitAt(LiftDraft& d, const std::string& list, DType ofList, std::int64_t axis,
                    std::int64_t count)
{
    const std::string place = d.oneInt(axis);
    return d.step(
        "SplitV", {d.in(0), list, place},
        {typeAttr("T", d.type(0)), typeAttr("Tlen", ofList), {"num_split", attr::fromInt(count)}});
}

// Splits an axis whose size is only known at run time. Before opset 18 the parts are equal; from
// then on the last one is smaller if their number does not divide the size.
std::string splitInRun(LiftDraft& d, std::int64_t axis, std::int64_t count)
{
    if (d.intAttr("num_outputs", 0) == 0)
        return d.step("Split", {d.oneInt(axis), d.in(0)},
                      {typeAttr("T", d.type(0)), {"num_split", attr::fromInt(count)}});
    constexpr DType sizeType = DType::Int32;
    const auto both = [&](const char* op, const std::string& a, const std::string& b) {
        return steps::both(d, op, a, b, sizeType);
    };
    const std::string all = steps::sizes(d, d.in(0), d.type(0), sizeType);
    const std::string whole =
        d.step("StridedSlice",
               {all, d.intList({axis}), d.intList({axis == -1 ? 0 : axis + 1}), d.intList({1})},
               {typeAttr("T", sizeType),
                typeAttr("Index", DType::Int32),
                {"end_mask", attr::fromInt(axis == -1 ? 1 : 0)}});
    const std::string part =
        both("FloorDiv", both("Add", whole, d.intList({count - 1})), d.intList({count}));
    std::vector<std::string> parts(std::size_t(count - 1), part);
    parts.push_back(both("Sub", whole, both("Mul", part, d.intList({count - 1}))));
    return splitAt(d, count == 1 ? whole : steps::concat(d, parts, 0, sizeType), sizeType, axis,
                   count);
}

bool liftSplit(LiftDraft& d)
{
    const auto count = std::int64_t(d.node().attr("_output_types").types().size());
    const auto given = listOf(d, 1, "split");
    const std::int64_t axis = d.intAttr("axis", 0);
    const auto shape = d.shape(0);
    if (count < 1 || count > mostParts || axis < -mostParts || axis > mostParts)
        return false;
    const auto give = [&](const std::string& made) {
        d.give(steps::ports(made, std::size_t(count)));
        return true;
    };
    if (!given)
        return give(splitAt(d, d.in(1), d.type(1), axis, count));
    if (!given->empty())
        return std::int64_t(given->size()) == count &&
               give(splitAt(d, d.intList(*given), DType::Int32, axis, count));
    const auto rank = shape ? std::int64_t(shape->dims.size()) : 0;
    const std::int64_t place = axis < 0 ? axis + rank : axis;
    const std::int64_t whole =
        place >= 0 && place < rank ? shape->dims[std::size_t(place)] : unknownDim;
    if (whole < 0)
        return give(splitInRun(d, axis, count));
    // The last part is smaller if their number does not divide the size.
    const std::int64_t part = whole / count + (whole % count == 0 ? 0 : 1);
    if (part * (count - 1) > whole)
        return false;
    Ints sizes(std::size_t(count), part);
    sizes.back() = whole - part * (count - 1);
    return give(splitAt(d, d.intList(sizes), DType::Int32, axis, count));
}

bool liftTile(LiftDraft& d)
{
    d.give({d.step("Tile", {d.in(0), d.in(1)},
                   {typeAttr("T", d.type(0)), typeAttr("Tmultiples", d.type(1))})});
    return true;
}

// Computed paddings: first all before the axes, then all after them.
bool liftComputedPad(LiftDraft& d)
{
    const auto count = d.dims(1);
    const auto shape = d.shape(0);
    const std::string_view mode = d.textAttr("mode");
    const bool isReflected = mode == "reflect";
    if ((!shape && (!count || count->size() != 1)) || d.has(3) ||
        (!mode.empty() && mode != "constant" && !isReflected))
        return false;
    const auto rank = shape ? std::int64_t(shape->dims.size()) : count->front() / 2;
    const std::string sides = reshaped(d, d.in(1), d.type(1), {2, rank});
    std::vector<std::string> inputs{d.in(0), transposed(d, sides, d.type(1), {1, 0})};
    LiftDraft::Attrs attrs{typeAttr("T", d.type(0)), typeAttr("Tpaddings", d.type(1))};
    if (isReflected)
        attrs.emplace_back("mode", attr::fromString("REFLECT"));
    else if (d.has(2))
        inputs.push_back(reshaped(d, d.in(2), d.type(0), {}));
    d.give({d.step(isReflected         ? "MirrorPad"
                   : inputs.size() > 2 ? "PadV2"
                                       : "Pad",
                   inputs, std::move(attrs))});
    return true;
}

// Pads with the elements at the edge, or with those from the opposite end.
bool liftEdges(LiftDraft& d, const Ints& pads, bool goesRound)
{
    const auto rank = std::int64_t(pads.size() / 2);
    const DType dtype = d.type(0);
    std::string made = d.in(0);
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        const std::int64_t before = pads[std::size_t(axis)];
        const std::int64_t behind = pads[std::size_t(axis + rank)];
        if (before == 0 && behind == 0)
            continue;
        const std::string size = steps::sizeAt(d, made, dtype, axis, DType::Int32);
        const std::string end = steps::both(d, "AddV2", size, d.oneInt(behind), DType::Int32);
        const std::string first = d.oneInt(-before);
        const std::string places =
            d.step("Range", {first, end, d.oneInt(1)}, {typeAttr("Tidx", DType::Int32)});
        std::string within;
        if (goesRound) {
            within = steps::both(d, "FloorMod", places, size, DType::Int32);
        } else {
            const std::string last = steps::both(d, "Sub", size, d.oneInt(1), DType::Int32);
            const std::string below = steps::both(d, "Minimum", places, last, DType::Int32);
            within = steps::both(d, "Maximum", below, d.oneInt(0), DType::Int32);
        }
        made = steps::gather(d, made, dtype, within, DType::Int32, axis);
    }
    d.give({made});
    return true;
}

// Returns a pair for each axis, of the named axes or of all.
std::optional<Ints> padsOf(const LiftDraft& d)
{
    const auto given = listOf(d, 1, "pads");
    if (!given || given->empty() || given->size() % 2 != 0)
        return std::nullopt;
    if (!d.has(3))
        return given;
    const auto axes = d.ints(3);
    const auto shape = d.shape(0);
    if (!axes || !shape || axes->size() * 2 != given->size())
        return std::nullopt;
    const std::size_t rank = shape->dims.size();
    Ints pads(2 * rank, 0);
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const std::int64_t axis = (*axes)[i] + ((*axes)[i] < 0 ? std::int64_t(rank) : 0);
        if (axis < 0 || axis >= std::int64_t(rank))
            return std::nullopt;
        pads[std::size_t(axis)] = (*given)[i];
        pads[std::size_t(axis) + rank] = (*given)[i + axes->size()];
    }
    return pads;
}

// Crops by negative borders, which become 0.
std::string cropped(LiftDraft& d, const std::string& x, Ints& pads)
{
    const std::size_t rank = pads.size() / 2;
    if (std::ranges::all_of(pads, [](std::int64_t pad) { return pad >= 0; }))
        return x;
    Ints begin(rank, 0);
    Ints end(rank, 0);
    std::int64_t wholeEnds = 0; // a bit for each axis
    for (std::size_t axis = 0; axis < rank; ++axis) {
        begin[axis] = std::max<std::int64_t>(-pads[axis], 0);
        end[axis] = std::min<std::int64_t>(pads[rank + axis], 0);
        if (end[axis] == 0)
            wholeEnds |= std::int64_t(1) << axis;
    }
    for (std::int64_t& pad : pads)
        pad = std::max<std::int64_t>(pad, 0);
    const std::string pace = d.intList(Ints(rank, 1));
    return d.step("StridedSlice", {x, d.intList(begin), d.intList(end), pace},
                  {typeAttr("T", d.type(0)),
                   typeAttr("Index", DType::Int32),
                   {"begin_mask", attr::fromInt(0)},
                   {"end_mask", attr::fromInt(wholeEnds)},
                   {"ellipsis_mask", attr::fromInt(0)},
                   {"new_axis_mask", attr::fromInt(0)},
                   {"shrink_axis_mask", attr::fromInt(0)}});
}

bool liftPad(LiftDraft& d)
{
    if (d.has(1) && !d.ints(1))
        return liftComputedPad(d);
    auto pads = padsOf(d);
    const std::string_view mode = d.textAttr("mode");
    const bool isReflected = mode == "reflect";
    constexpr std::int64_t mostBorder = 1 << 24;
    constexpr std::size_t mostAxes = 16;
    const std::int64_t least = mode.empty() || mode == "constant" ? -mostBorder : 0;
    if (!pads || pads->size() > 2 * mostAxes || std::ranges::any_of(*pads, [&](std::int64_t pad) {
            return pad < least || pad > mostBorder;
        }))
        return false;
    if (mode == "edge" || mode == "wrap")
        return liftEdges(d, *pads, mode == "wrap");
    if (!isReflected && !mode.empty() && mode != "constant")
        return false;
    const std::string x = cropped(d, d.in(0), *pads);
    const std::size_t rank = pads->size() / 2;
    Ints pairs;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        pairs.push_back((*pads)[axis]);
        pairs.push_back((*pads)[rank + axis]);
    }
    const std::string sizes = d.intMatrix({std::int64_t(rank), 2}, pairs);
    LiftDraft::Attrs attrs{typeAttr("T", d.type(0)), typeAttr("Tpaddings", DType::Int32)};
    std::vector<std::string> inputs{x, sizes};
    if (isReflected)
        attrs.emplace_back("mode", attr::fromString("REFLECT"));
    else if (d.has(2))
        inputs.push_back(reshaped(d, d.in(2), d.type(0), {})); // a list of one in some files
    else if (d.floatAttr("value", 0) != 0)
        inputs.push_back(d.oneFloat(d.floatAttr("value", 0)));
    d.give({d.step(isReflected         ? "MirrorPad"
                   : inputs.size() > 2 ? "PadV2"
                                       : "Pad",
                   inputs, std::move(attrs))});
    return true;
}

bool liftCumulative(LiftDraft& d)
{
    const std::string_view op = d.node().op() == "CumProd" ? "Cumprod" : "Cumsum";
    d.give({d.step(op, {d.in(0), reshaped(d, d.in(1), d.type(1), {})},
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

bool liftRange(LiftDraft& d)
{
    d.give({d.step("Range", {d.in(0), d.in(1), d.in(2)}, {typeAttr("Tidx", d.type(0))})});
    return true;
}

// Makes a window function of the index, 0 to size - 1, divided by the size (periodic) or by the
// last index.
bool liftWindow(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const DType given = dtypeOfOnnx(std::int32_t(d.intAttr("output_datatype", 1)));
    if (given != DType::Float && given != DType::Double)
        return false;
    const std::string zero = d.oneInt(0);
    const std::string count = steps::cast(d, d.in(0), d.type(0), DType::Int32);
    const std::string all =
        d.step("Range", {zero, count, d.oneInt(1)}, {typeAttr("Tidx", DType::Int32)});
    std::string size = steps::cast(d, count, DType::Int32, DType::Float);
    if (d.intAttr("periodic", 1) == 0)
        size = steps::both(d, "Sub", size, d.oneFloat(1));
    const std::string place = steps::cast(d, all, DType::Int32, DType::Float);
    const std::string share = steps::both(d, "Div", place, size);
    // Adds a cosine with this number of periods.
    const auto plus = [&](const std::string& before, float times, float by) {
        const std::string angle =
            steps::both(d, "Mul", share, d.oneFloat(2 * std::numbers::pi_v<float> * times));
        const std::string wave = steps::one(d, "Cos", angle);
        return steps::both(d, "AddV2", before, steps::both(d, "Mul", wave, d.oneFloat(by)));
    };
    std::string made;
    if (op == "BlackmanWindow") {
        made = plus(plus(d.oneFloat(0.42F), 1, -0.5F), 2, 0.08F);
    } else {
        const float middle = op == "HannWindow" ? 0.5F : 25.0F / 46;
        made = plus(d.oneFloat(middle), 1, middle - 1);
    }
    d.give({steps::cast(d, made, DType::Float, given)});
    return true;
}

// Makes numbers between 0 and 1, or with mean 0 and deviation 1, and scales and shifts them.
bool liftRandom(LiftDraft& d)
{
    const bool isUniform = d.node().op().starts_with("RandomUniform");
    const bool isLike = d.node().op().ends_with("Like");
    const float low = isUniform ? d.floatAttr("low", 0) : d.floatAttr("mean", 0);
    const float width = isUniform ? d.floatAttr("high", 1) - low : d.floatAttr("scale", 1);
    const LiftDraft::Attrs floats{typeAttr("T", DType::Float)};
    if (d.outType() != DType::Float)
        return false;
    const std::string sizes =
        isLike ? steps::sizes(d, d.in(0), d.type(0), DType::Int32) : d.intList(d.intsAttr("shape"));
    std::string made = d.step(isUniform ? "RandomUniform" : "RandomStandardNormal", {sizes},
                              {typeAttr("T", DType::Int32), typeAttr("dtype", DType::Float)});
    if (width != 1)
        made = d.step("Mul", {made, d.oneFloat(width)}, floats);
    if (low != 0)
        made = d.step("AddV2", {made, d.oneFloat(low)}, floats);
    d.give({made});
    return true;
}

constexpr std::int64_t mostShift = 1 << 30; // of a diagonal

// Makes a matrix of the size of x, with 1 on a diagonal.
bool liftEyeLike(LiftDraft& d)
{
    const DType given = dtypeOfOnnx(std::int32_t(d.intAttr("dtype", 0)));
    const DType dtype = given == DType::Invalid ? d.type(0) : given;
    const std::string x = d.in(0);
    const auto range = [&](std::int64_t axis) {
        const std::string size = steps::sizeAt(d, x, d.type(0), axis, DType::Int32);
        const std::string zero = d.oneInt(0);
        return d.step("Range", {zero, size, d.oneInt(1)}, {typeAttr("Tidx", DType::Int32)});
    };
    const std::string rows = steps::expandDims(d, range(0), DType::Int32, 1);
    const std::string moved = steps::both(
        d, "AddV2", rows,
        d.oneInt(std::clamp<std::int64_t>(d.intAttr("k", 0), -mostShift, mostShift)), DType::Int32);
    const std::string columns = steps::expandDims(d, range(1), DType::Int32, 0);
    d.give({steps::cast(d, steps::both(d, "Equal", moved, columns, DType::Int32), DType::Bool,
                        dtype)});
    return true;
}

constexpr std::array movers = std::to_array<OnnxLift>({
    {"BlackmanWindow", liftWindow},
    {"Concat", liftConcat},
    {"CumProd", liftCumulative},
    {"CumSum", liftCumulative},
    {"EyeLike", liftEyeLike},
    {"HammingWindow", liftWindow},
    {"HannWindow", liftWindow},
    {"Pad", liftPad},
    {"RandomNormal", liftRandom},
    {"RandomNormalLike", liftRandom},
    {"RandomUniform", liftRandom},
    {"RandomUniformLike", liftRandom},
    {"Range", liftRange},
    {"ReverseSequence", liftReverseSequence},
    {"Split", liftSplit},
    {"Tile", liftTile},
    {"Transpose", liftTranspose},
});

} // namespace

bool liftOnnxShape(LiftDraft& draft)
{
    return liftFrom(movers, draft);
}

} // namespace lapidary
