// SPDX-License-Identifier: Apache-2.0
// Lifts operators that take elements by their indices, or return indices.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Converts negative indices, which count from the end, to indices from the start.
std::string fromStart(LiftDraft& d, const std::string& places, DType dtype, const std::string& size)
{
    const std::string isBelow = steps::both(d, "Less", places, steps::scalar(d, dtype, 0), dtype);
    const std::string moved = steps::both(d, "AddV2", places, size, dtype);
    return steps::select(d, isBelow, moved, places, dtype);
}

// Returns the numbers from 0 up to a size.
std::string countedTo(LiftDraft& d, const std::string& size)
{
    const std::string zero = d.oneInt(0);
    return d.step("Range", {zero, size, d.oneInt(1)}, {typeAttr("Tidx", DType::Int32)});
}

bool mayBeNegative(const LiftDraft& d, std::size_t slot)
{
    const auto known = d.ints(slot);
    return !known || std::ranges::any_of(*known, [](std::int64_t place) { return place < 0; });
}

std::string placesIn(LiftDraft& d, std::size_t slot, const std::string& x, std::int64_t axis)
{
    std::string places = d.in(slot);
    const DType dtype = d.type(slot);
    if (mayBeNegative(d, slot))
        places = fromStart(d, places, dtype, steps::sizeAt(d, x, d.type(0), axis, dtype));
    return places;
}

} // namespace

std::optional<std::int64_t> onnxAxis(const LiftDraft& d, std::int64_t standard)
{
    const std::int64_t axis = d.intAttr("axis", standard);
    const auto shape = d.shape(0);
    if (axis >= 0)
        return axis;
    return shape ? std::optional(axis + std::int64_t(shape->dims.size())) : std::nullopt;
}

bool areElementPlaces(const Shape& shape, std::int64_t axis)
{
    constexpr std::size_t mostAxes = 16;
    return shape.dims.size() <= mostAxes && axis >= 0 && axis < std::int64_t(shape.dims.size());
}

std::string placesAlong(LiftDraft& d, const std::string& like, DType dtype, std::int64_t axis,
                        std::int64_t rank)
{
    const std::string all = steps::sizes(d, like, dtype, DType::Int32);
    const std::string range =
        countedTo(d, steps::gather(d, all, DType::Int32, d.oneInt(axis), DType::Int32, 0));
    Ints dims(std::size_t(rank), 1);
    dims[std::size_t(axis)] = -1;
    return d.step("BroadcastTo", {reshaped(d, range, DType::Int32, dims), all},
                  {typeAttr("T", DType::Int32), typeAttr("Tidx", DType::Int32)});
}

std::string elementPlaces(LiftDraft& d, std::size_t slot, std::int64_t axis, std::int64_t rank)
{
    const std::string places =
        steps::cast(d, placesIn(d, slot, d.in(0), axis), d.type(slot), DType::Int32);
    std::vector<std::string> parts;
    for (std::int64_t k = 0; k < rank; ++k)
        parts.push_back(k == axis ? places : placesAlong(d, places, DType::Int32, k, rank));
    return d.step(
        "Pack", parts,
        {{"N", attr::fromInt(rank)}, {"axis", attr::fromInt(-1)}, typeAttr("T", DType::Int32)});
}

std::string rowPlaces(LiftDraft& d, std::size_t slot, std::int64_t first, std::int64_t depth)
{
    const std::string places = d.in(slot);
    if (!mayBeNegative(d, slot))
        return places;
    const std::string all = steps::sizes(d, d.in(0), d.type(0), d.type(slot));
    return fromStart(d, places, d.type(slot), steps::part(d, all, first, depth, d.type(slot)));
}

namespace {

bool liftGather(LiftDraft& d)
{
    const auto axis = onnxAxis(d, 0);
    if (!axis || *axis < 0)
        return false;
    const std::string x = d.in(0);
    const DType ofPlaces = d.type(1);
    const auto known = d.ints(1);
    const auto shape = d.shape(0);
    const bool isSizes = d.type(0) == DType::Int64 && shape && shape->dims.size() == 1;
    // The length of a list of sizes does not depend on feeds.
    if (known && known->size() == 1 && known->front() < 0 && isSizes && shape->dims[0] > 0) {
        const auto place = known->front() + shape->dims[0];
        const auto one = d.shape(1);
        const std::string at = one && one->dims.empty() ? d.oneInt(place) : d.intList({place});
        d.give({steps::gather(d, x, d.type(0), at, DType::Int32, 0)});
        return true;
    }
    d.give({steps::gather(d, x, d.type(0), placesIn(d, 1, x, *axis), ofPlaces, *axis)});
    return true;
}

bool liftGatherNd(LiftDraft& d)
{
    const auto shape = d.shape(1);
    const std::int64_t batch = d.intAttr("batch_dims", 0);
    const bool isDeep = shape && !shape->dims.empty() && shape->dims.back() > 0;
    const auto rank = isDeep ? std::int64_t(shape->dims.size()) : 0;
    if (batch < 0 || (batch > 0 && batch >= rank))
        return false;
    const DType ofPlaces = d.type(1);
    std::string places = isDeep ? rowPlaces(d, 1, batch, shape->dims.back()) : d.in(1);
    if (batch > 0) {
        // The indices along the common axes come first.
        const std::string one =
            steps::gather(d, places, ofPlaces, d.intList({0}), DType::Int32, rank - 1);
        std::vector<std::string> parts;
        for (std::int64_t axis = 0; axis < batch; ++axis)
            parts.push_back(
                steps::cast(d, placesAlong(d, one, ofPlaces, axis, rank), DType::Int32, ofPlaces));
        parts.push_back(places);
        places = steps::concat(d, std::move(parts), -1, ofPlaces);
    }
    d.give({d.step("GatherNd", {d.in(0), places},
                   {typeAttr("Tparams", d.type(0)), typeAttr("Tindices", ofPlaces)})});
    return true;
}

bool liftGatherElements(LiftDraft& d)
{
    const auto axis = onnxAxis(d, 0);
    const auto shape = d.shape(0);
    if (!axis || !shape || !areElementPlaces(*shape, *axis))
        return false;
    const std::string x = d.in(0);
    const std::string at = elementPlaces(d, 1, *axis, std::int64_t(shape->dims.size()));
    d.give({d.step("GatherNd", {x, at},
                   {typeAttr("Tparams", d.type(0)), typeAttr("Tindices", DType::Int32)})});
    return true;
}

// The inputs are the indices, the depth, and a list of the values off and on.
bool liftOneHot(LiftDraft& d)
{
    const auto shape = d.shape(0);
    std::int64_t axis = d.intAttr("axis", -1);
    if (axis < -1 && !shape)
        return false;
    axis += axis < -1 ? std::int64_t(shape->dims.size()) + 1 : 0;
    const std::string places = steps::cast(d, d.in(0), d.type(0), DType::Int64);
    const std::string depth = reshaped(d, d.in(1), d.type(1), {});
    const std::string at =
        fromStart(d, places, DType::Int64, steps::cast(d, depth, d.type(1), DType::Int64));
    const std::string count = steps::cast(d, depth, d.type(1), DType::Int32);
    const DType dtype = d.type(2);
    const std::string off = steps::gather(d, d.in(2), dtype, d.oneInt(0), DType::Int32, 0);
    const std::string on = steps::gather(d, d.in(2), dtype, d.oneInt(1), DType::Int32, 0);
    d.give({d.step(
        "OneHot", {at, count, on, off},
        {typeAttr("T", dtype), typeAttr("TI", DType::Int64), {"axis", attr::fromInt(axis)}})});
    return true;
}

std::string placeOfBest(LiftDraft& d, std::string_view op, const std::string& x, std::int64_t axis)
{
    return d.step(op, {x, d.oneInt(axis)},
                  {typeAttr("T", d.type(0)), typeAttr("Tidx", DType::Int32),
                   typeAttr("output_type", DType::Int64)});
}

bool liftPlace(LiftDraft& d)
{
    const auto axis = onnxAxis(d, 0);
    if (!axis || *axis < 0)
        return false;
    const std::string_view op = d.node().op();
    std::string x = d.in(0);
    std::string made;
    if (d.intAttr("select_last_index", 0) != 0) {
        const std::string size = steps::sizeAt(d, x, d.type(0), *axis);
        const std::string last = steps::both(d, "Sub", size, d.oneInt64(1), DType::Int64);
        const std::string turned =
            d.step("ReverseV2", {x, d.intList({*axis})},
                   {typeAttr("T", d.type(0)), typeAttr("Tidx", DType::Int32)});
        made = steps::both(d, "Sub", last, placeOfBest(d, op, turned, *axis), DType::Int64);
    } else {
        made = placeOfBest(d, op, x, *axis);
    }
    if (d.intAttr("keepdims", 1) != 0)
        made = steps::expandDims(d, made, DType::Int64, *axis);
    d.give({made});
    return true;
}

// Gives 1 for the first of the largest elements along an axis, else 0.
bool liftHardmax(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto axis = onnxAxis(d, d.opset() < 13 ? 1 : -1);
    if (!axis || !shape || *axis < 0 ||
        (d.opset() < 13 && *axis != std::int64_t(shape->dims.size()) - 1))
        return false;
    const DType dtype = d.type(0);
    const std::string x = d.in(0);
    const std::string at = placeOfBest(d, "ArgMax", x, *axis);
    const std::string depth = steps::sizeAt(d, x, dtype, *axis, DType::Int32);
    const std::string on = steps::scalar(d, dtype, 1);
    d.give({d.step(
        "OneHot", {at, depth, on, steps::scalar(d, dtype, 0)},
        {typeAttr("T", dtype), typeAttr("TI", DType::Int64), {"axis", attr::fromInt(*axis)}})});
    return true;
}

// Finds the largest or smallest elements along any axis; TensorFlow's op finds only the largest
// along the last one.
bool liftTopK(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto axis = onnxAxis(d, -1);
    if (!shape || !axis || *axis < 0 || (!d.has(1) && !d.node().hasAttr("k")))
        return false;
    const auto last = std::int64_t(shape->dims.size()) - 1;
    const DType dtype = d.type(0);
    const bool isSmallest = d.intAttr("largest", 1) == 0;
    Ints order(shape->dims.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = std::int64_t(i);
    if (*axis <= last)
        std::swap(order[std::size_t(*axis)], order[std::size_t(last)]);
    const auto turned = [&](const std::string& made, DType of) {
        return *axis == last ? made : transposed(d, made, of, order);
    };
    const std::string number =
        d.has(1) ? steps::cast(d, reshaped(d, d.in(1), d.type(1), {}), d.type(1), DType::Int32)
                 : d.oneInt(d.intAttr("k", 1));
    std::string x = turned(d.in(0), dtype);
    if (isSmallest)
        x = steps::one(d, "Neg", x, dtype);
    const std::string made =
        d.step("TopKV2", {x, number}, {typeAttr("T", dtype), {"sorted", attr::fromBool(true)}});
    std::string values = isSmallest ? steps::one(d, "Neg", made, dtype) : made;
    values = turned(values, dtype);
    const std::string places =
        turned(steps::cast(d, outputText(made, 1), DType::Int32, DType::Int64), DType::Int64);
    d.give({values, places});
    return true;
}

// Keeps the elements on one side of a diagonal.
bool liftTrilu(LiftDraft& d)
{
    const auto given = d.has(1) ? d.ints(1) : Ints{0};
    if (!given || given->size() != 1)
        return false;
    const bool isUpper = d.intAttr("upper", 1) != 0;
    const std::int64_t k = std::clamp<std::int64_t>(given->front(), -(1 << 30), 1 << 30);
    const DType dtype = d.type(0);
    const std::string x = d.in(0);
    const std::string zeros = steps::one(d, "ZerosLike", x, dtype);
    const auto shape = d.shape(0);
    const std::size_t rank = shape ? shape->dims.size() : 0;
    // If the count covers all diagonals, -1 means all of them.
    const auto within = [&](std::int64_t count, std::size_t fromEnd) {
        const std::int64_t most = rank < 2 ? -1 : shape->dims[rank - fromEnd];
        return most >= 0 && count >= most ? -1 : count;
    };
    const auto band = [&](std::int64_t below, std::int64_t above) {
        below = within(below, 2);
        above = within(above, 1);
        const std::string ones = steps::one(d, "OnesLike", zeros, dtype);
        const std::string lower = d.oneInt64(below);
        return steps::cast(d,
                           d.step("MatrixBandPart", {ones, lower, d.oneInt64(above)},
                                  {typeAttr("T", dtype), typeAttr("Tindex", DType::Int64)}),
                           dtype, DType::Bool);
    };
    std::string made;
    if (isUpper)
        made = k <= 0 ? steps::select(d, band(-k, -1), x, zeros, dtype)
                      : steps::select(d, band(-1, k - 1), zeros, x, dtype);
    else
        made = k >= 0 ? steps::select(d, band(-1, k), x, zeros, dtype)
                      : steps::select(d, band(-k - 1, -1), zeros, x, dtype);
    d.give({made});
    return true;
}

std::string trueAt(LiftDraft& d, const std::string& condition, DType dtype)
{
    return d.step("Where", {condition}, {typeAttr("T", dtype)});
}

bool liftNonZero(LiftDraft& d)
{
    d.give({transposed(d, trueAt(d, d.in(0), d.type(0)), DType::Int64, {1, 0})});
    return true;
}

bool liftCompress(LiftDraft& d)
{
    const std::string places = reshaped(d, trueAt(d, d.in(1), DType::Bool), DType::Int64, {-1});
    const DType dtype = d.type(0);
    if (!d.node().hasAttr("axis")) {
        const std::string x = reshaped(d, d.in(0), dtype, {-1});
        d.give({steps::gather(d, x, dtype, places, DType::Int64, 0)});
        return true;
    }
    const auto axis = onnxAxis(d, 0);
    if (!axis || *axis < 0)
        return false;
    d.give({steps::gather(d, d.in(0), dtype, places, DType::Int64, *axis)});
    return true;
}

// Returns the distinct elements in their own order or sorted, their first positions, for each
// element its index among them, and their counts.
bool liftUnique(LiftDraft& d)
{
    const DType dtype = d.type(0);
    if (d.node().hasAttr("axis"))
        return false;
    const std::string x = reshaped(d, d.in(0), dtype, {-1});
    const std::string found =
        d.step("UniqueWithCounts", {x}, {typeAttr("T", dtype), typeAttr("out_idx", DType::Int32)});
    std::string values = found;
    std::string inverse = outputText(found, 1);
    std::string counts = outputText(found, 2);
    const std::string number = d.step("Size", {values}, {typeAttr("T", dtype)});
    const std::string all = d.step("Size", {x}, {typeAttr("T", dtype)});
    std::string first = d.step("UnsortedSegmentMin", {countedTo(d, all), inverse, number},
                               {typeAttr("T", DType::Int32), typeAttr("Tindices", DType::Int32),
                                typeAttr("Tnumsegments", DType::Int32)});
    if (d.intAttr("sorted", 1) != 0) {
        const std::string turned = steps::one(d, "Neg", values, dtype);
        const std::string sorted = d.step("TopKV2", {turned, number}, {typeAttr("T", dtype)});
        const std::string order = outputText(sorted, 1);
        values = steps::gather(d, values, dtype, order, DType::Int32, 0);
        first = steps::gather(d, first, DType::Int32, order, DType::Int32, 0);
        counts = steps::gather(d, counts, DType::Int32, order, DType::Int32, 0);
        const std::string places = steps::one(d, "InvertPermutation", order, DType::Int32);
        inverse = steps::gather(d, places, DType::Int32, inverse, DType::Int32, 0);
    }
    std::vector<std::string> outputs{values};
    for (const std::string& list : {first, inverse, counts})
        outputs.push_back(steps::cast(d, list, DType::Int32, DType::Int64));
    outputs.resize(std::clamp<std::size_t>(d.node().attr("_output_types").types().size(), 1, 4));
    d.give(std::move(outputs));
    return true;
}

constexpr std::array gatherers = std::to_array<OnnxLift>({
    {"ArgMax", liftPlace},
    {"ArgMin", liftPlace},
    {"Compress", liftCompress},
    {"Gather", liftGather},
    {"GatherElements", liftGatherElements},
    {"GatherND", liftGatherNd},
    {"Hardmax", liftHardmax},
    {"NonZero", liftNonZero},
    {"OneHot", liftOneHot},
    {"TopK", liftTopK},
    {"Trilu", liftTrilu},
    {"Unique", liftUnique},
});

} // namespace

bool liftOnnxGather(LiftDraft& draft)
{
    return liftFrom(gatherers, draft);
}

} // namespace lapidary
