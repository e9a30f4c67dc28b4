// SPDX-License-Identifier: Apache-2.0
// Lifts operators that write elements at given indices.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;
using steps::both;

// The combination of a written element with the existing one.
struct Meeting {
    std::string_view reduction;
    std::string_view scatter = {};  // the op that does it
    std::string_view segments = {}; // else the op that joins all updates of one position, and
    std::string_view join = {};     // the one that joins the result with the existing element
};
constexpr std::array meetings = std::to_array<Meeting>({
    {"", "TensorScatterUpdate"},
    {"none", "TensorScatterUpdate"},
    {"add", "TensorScatterAdd"},
    {"max", {}, "UnsortedSegmentMax", "Maximum"},
    {"min", {}, "UnsortedSegmentMin", "Minimum"},
    {"mul", {}, "UnsortedSegmentProd", "Mul"},
});

bool isJoined(DType dtype)
{
    return dtype == DType::Float || dtype == DType::Double || dtype == DType::Int32 ||
           dtype == DType::Int64;
}

// Returns nothing if the operator's reduction has no counterpart for its type.
const Meeting* meetingOf(const LiftDraft& d)
{
    const auto found = std::ranges::find(meetings, d.textAttr("reduction"), &Meeting::reduction);
    return found != meetings.end() && (!found->scatter.empty() || isJoined(d.type(0))) ? &*found
                                                                                       : nullptr;
}

std::string product(LiftDraft& d, const std::string& sizes)
{
    return d.step("Prod", {sizes, d.intList({0})},
                  {typeAttr("T", DType::Int32),
                   typeAttr("Tidx", DType::Int32),
                   {"keep_dims", attr::fromBool(true)}});
}

// Indices [..., depth] into the first `depth` axes of input 0.
struct Indices {
    std::string tensor;
    DType dtype = DType::Int32;
    std::int64_t depth = 0;
};

// Returns input 0 with updates at these indices.
std::string scattered(LiftDraft& d, const Meeting& meeting, const Indices& at,
                      const std::string& updates)
{
    const DType dtype = d.type(0);
    const std::string x = d.in(0);
    if (!meeting.scatter.empty())
        return d.step(meeting.scatter, {x, at.tensor, updates},
                      {typeAttr("T", dtype), typeAttr("Tindices", at.dtype)});
    const std::string sizes = steps::sizes(d, x, dtype, DType::Int32);
    const std::string outer = steps::part(d, sizes, 0, at.depth, DType::Int32);
    const std::string inner = product(d, steps::part(d, sizes, at.depth, -1, DType::Int32));
    const std::string strides = d.step("Cumprod", {outer, d.oneInt(0)},
                                       {typeAttr("T", DType::Int32),
                                        typeAttr("Tidx", DType::Int32),
                                        {"exclusive", attr::fromBool(true)},
                                        {"reverse", attr::fromBool(true)}});
    const std::string rows =
        both(d, "Mul", steps::cast(d, at.tensor, at.dtype, DType::Int32), strides, DType::Int32);
    const std::string row =
        reshaped(d, steps::reduce(d, "Sum", rows, DType::Int32, {-1}, false), DType::Int32, {-1});
    const std::string count = product(d, outer);
    const auto flat = [&](const std::string& all, const std::string& first) {
        return steps::reshape(d, all, dtype, steps::concat(d, {first, inner}, 0, DType::Int32),
                              DType::Int32);
    };
    const std::string number = d.step("Size", {row}, {typeAttr("T", DType::Int32)});
    const std::string listed = steps::expandDims(d, number, DType::Int32, 0);
    const std::string met =
        d.step(meeting.segments, {flat(updates, listed), row, reshaped(d, count, DType::Int32, {})},
               {typeAttr("T", dtype), typeAttr("Tindices", DType::Int32),
                typeAttr("Tnumsegments", DType::Int32)});
    return steps::reshape(d, both(d, meeting.join, flat(x, count), met, dtype), dtype, sizes,
                          DType::Int32);
}

bool liftScatterElements(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto axis = onnxAxis(d, 0);
    const Meeting* meeting = meetingOf(d);
    if (!shape || !axis || meeting == nullptr || !areElementPlaces(*shape, *axis))
        return false;
    const auto rank = std::int64_t(shape->dims.size());
    const std::string places = elementPlaces(d, 1, *axis, rank);
    d.give({scattered(d, *meeting, {places, DType::Int32, rank}, d.in(2))});
    return true;
}

bool liftScatterNd(LiftDraft& d)
{
    const Meeting* meeting = meetingOf(d);
    const auto dims = d.shape(1);
    const bool isDeep = dims && !dims->dims.empty() && dims->dims.back() > 0;
    if (meeting == nullptr || (!isDeep && meeting->scatter.empty()))
        return false;
    const std::int64_t depth = isDeep ? dims->dims.back() : 0;
    const std::string places = isDeep ? rowPlaces(d, 1, 0, depth) : d.in(1);
    d.give({scattered(d, *meeting, {places, d.type(1), depth}, d.in(2))});
    return true;
}

// Writes rows into a cache [n, ..., length, ...], from the index given for each entry of the batch;
// if the cache is circular, continues at its start.
bool liftTensorScatter(LiftDraft& d)
{
    const auto shape = d.dims(0);
    const auto rows = d.dims(1);
    std::int64_t axis = d.intAttr("axis", -2);
    const std::string_view mode = d.textAttr("mode");
    constexpr std::int64_t mostRows = 1 << 22; // over all axes; their indices become constants
    if (!shape || !rows || rows->size() != shape->size())
        return false;
    std::int64_t all = 0;
    for (const std::int64_t size : *rows)
        all = std::min(all, mostRows) + std::min(size, mostRows);
    if (all > mostRows)
        return false;
    const auto rank = std::int64_t(shape->size());
    axis += axis < 0 ? rank : 0;
    if (axis < 1 || axis >= rank)
        return false;
    const auto place = [&](std::int64_t along) {
        Ints dims(std::size_t(rank), 1);
        dims[std::size_t(along)] = -1;
        const auto count = std::size_t((*rows)[std::size_t(along)]);
        Ints numbers(count, 0);
        std::iota(numbers.begin(), numbers.end(), 0);
        return reshaped(d, d.intList(numbers), DType::Int32, dims);
    };
    std::vector<std::string> parts;
    for (std::int64_t along = 0; along < rank; ++along) {
        std::string at = place(along);
        if (along == axis && d.has(2)) {
            Ints dims(std::size_t(rank), 1);
            dims[0] = -1;
            const std::string first = steps::cast(d, d.in(2), d.type(2), DType::Int32);
            at = both(d, "AddV2", at, reshaped(d, first, DType::Int32, dims), DType::Int32);
        }
        if (along == axis && mode == "circular")
            at = both(d, "FloorMod", at, d.oneInt((*shape)[std::size_t(axis)]), DType::Int32);
        parts.push_back(d.step("BroadcastTo", {at, d.intList(*rows)},
                               {typeAttr("T", DType::Int32), typeAttr("Tidx", DType::Int32)}));
    }
    const std::string places = d.step(
        "Pack", parts,
        {{"N", attr::fromInt(rank)}, {"axis", attr::fromInt(-1)}, typeAttr("T", DType::Int32)});
    d.give({scattered(d, meetings.front(), {places, DType::Int32, rank}, d.in(1))});
    return true;
}

constexpr std::array scatterers = std::to_array<OnnxLift>({
    {"Scatter", liftScatterElements},
    {"ScatterElements", liftScatterElements},
    {"ScatterND", liftScatterNd},
    {"TensorScatter", liftTensorScatter},
});

} // namespace

bool liftOnnxScatter(LiftDraft& draft)
{
    return liftFrom(scatterers, draft);
}

} // namespace lapidary
