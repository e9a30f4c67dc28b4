// SPDX-License-Identifier: Apache-2.0
// Ops that read pictures between their elements.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <array>

namespace lapidary {
namespace {

using steps::both;
using Ints = LiftDraft::Ints;

// Pictures [n, h, w, c], and which of them each place is in. All but the values and the number of
// the picture is float.
struct Sampled {
    std::string values;
    std::string picture; // int32, broadcast over the places
    std::string height;
    std::string width;
};

std::string floatSize(LiftDraft& d, const std::string& x, std::int64_t axis)
{
    return steps::cast(d, steps::sizeAt(d, x, DType::Float, axis, DType::Int32), DType::Int32,
                       DType::Float);
}

std::string lastOf(LiftDraft& d, const std::string& size)
{
    return both(d, "Sub", size, d.oneFloat(1));
}

std::string clamped(LiftDraft& d, const std::string& x, const std::string& most)
{
    return both(d, "Minimum", both(d, "Maximum", x, d.oneFloat(0)), most);
}

// Whether a place is in the picture, as 0 or 1 for all channels.
std::string insideOf(LiftDraft& d, const Sampled& from, const std::string& y, const std::string& x)
{
    const auto within = [&](const std::string& at, const std::string& size) {
        const std::string begins = both(d, "GreaterEqual", at, d.oneFloat(0));
        return d.step("LogicalAnd", {begins, both(d, "Less", at, size)});
    };
    const std::string rows = within(y, from.height);
    const std::string isInside = d.step("LogicalAnd", {rows, within(x, from.width)});
    return steps::expandDims(d, steps::cast(d, isInside, DType::Bool, DType::Float), DType::Float,
                             -1);
}

// Elements at whole places; y and x are of one shape. Outside of the picture: those of its border.
std::string elementsAt(LiftDraft& d, const Sampled& from, const std::string& y,
                       const std::string& x)
{
    const auto place = [&](const std::string& at, const std::string& size) {
        return steps::cast(d, clamped(d, at, lastOf(d, size)), DType::Float, DType::Int32);
    };
    const std::string row = place(y, from.height);
    const std::string column = place(x, from.width);
    const std::string zeros = steps::one(d, "ZerosLike", row, DType::Int32);
    const std::string picture = both(d, "AddV2", zeros, from.picture, DType::Int32);
    const std::string places =
        d.step("Pack", {picture, row, column},
               {{"N", attr::fromInt(3)}, {"axis", attr::fromInt(-1)}, typeAttr("T", DType::Int32)});
    return d.step("GatherNd", {from.values, places},
                  {typeAttr("Tparams", DType::Float), typeAttr("Tindices", DType::Int32)});
}

std::string elementAt(LiftDraft& d, const Sampled& from, const std::string& y, const std::string& x,
                      bool isZeroOutside)
{
    const std::string made = elementsAt(d, from, y, x);
    return isZeroOutside ? both(d, "Mul", made, insideOf(d, from, y, x)) : made;
}

// What lies between the four elements around each place.
std::string between(LiftDraft& d, const Sampled& from, const std::string& y, const std::string& x,
                    bool isZeroOutside)
{
    const auto parts = [&](const std::string& at) {
        const std::string first = steps::one(d, "Floor", at);
        const std::string rest = both(d, "Sub", at, first);
        return std::array{first, both(d, "AddV2", first, d.oneFloat(1)),
                          both(d, "Sub", d.oneFloat(1), rest), rest};
    };
    const auto rows = parts(y);
    const auto columns = parts(x);
    std::string sum;
    for (const std::size_t i : {0U, 1U})
        for (const std::size_t j : {0U, 1U}) {
            const std::string weight =
                steps::expandDims(d, both(d, "Mul", rows[2 + i], columns[2 + j]), DType::Float, -1);
            const std::string part =
                both(d, "Mul", elementAt(d, from, rows[i], columns[j], isZeroOutside), weight);
            sum = sum.empty() ? part : both(d, "AddV2", sum, part);
        }
    return sum;
}

// [-1, 1] are the ends of the picture, or the centers of its first and last elements.
std::string onPicture(LiftDraft& d, const std::string& at, const std::string& size, bool aligns)
{
    const std::string moved = both(d, "AddV2", at, d.oneFloat(1));
    const std::string whole = both(d, "Mul", moved, aligns ? lastOf(d, size) : size);
    const std::string twice = aligns ? whole : lastOf(d, whole);
    return both(d, "Mul", twice, d.oneFloat(0.5F));
}

// Beyond an end as before it.
std::string reflected(LiftDraft& d, const std::string& at, const std::string& size, bool aligns)
{
    const float first = aligns ? 0 : -0.5F;
    const std::string range = aligns ? lastOf(d, size) : size;
    const std::string way = steps::one(d, "Abs", both(d, "Sub", at, d.oneFloat(first)));
    const std::string twice = both(d, "Mul", range, d.oneFloat(2));
    const std::string turned = both(d, "Sub", both(d, "FloorMod", way, twice), range);
    const std::string left = both(d, "Sub", range, steps::one(d, "Abs", turned));
    return both(d, "AddV2", left, d.oneFloat(first));
}

// The number of each picture, [n, 1, 1].
std::string countPictures(LiftDraft& d, const std::string& x)
{
    const std::string count = steps::sizeAt(d, x, DType::Float, 0, DType::Int32);
    const std::string zero = d.oneInt(0);
    const std::string all =
        d.step("Range", {zero, count, d.oneInt(1)}, {typeAttr("Tidx", DType::Int32)});
    return reshaped(d, all, DType::Int32, {-1, 1, 1});
}

std::string column(LiftDraft& d, const std::string& x, std::int64_t place)
{
    return steps::gather(d, x, DType::Float, d.oneInt(place), DType::Int32, -1);
}

bool liftGridSample(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const std::string_view mode = d.textAttr("mode");
    const std::string_view padding = d.textAttr("padding_mode");
    const bool isNearest = mode == "nearest";
    if (!isFloat(d) || !shape || shape->dims.size() != 4 ||
        (!isNearest && !mode.empty() && mode != "bilinear" && mode != "linear"))
        return false;
    const bool aligns = d.intAttr("align_corners", 0) != 0;
    const bool isZeroOutside = padding.empty() || padding == "zeros";
    const std::string x = d.in(0);
    const Sampled from{channelsLast(d, x, DType::Float), countPictures(d, x), floatSize(d, x, 2),
                       floatSize(d, x, 3)};
    std::array at{onPicture(d, column(d, d.in(1), 1), from.height, aligns),
                  onPicture(d, column(d, d.in(1), 0), from.width, aligns)};
    if (padding == "reflection") {
        at[0] = reflected(d, at[0], from.height, aligns);
        at[1] = reflected(d, at[1], from.width, aligns);
    }
    std::string made;
    if (isNearest) {
        const std::string row = steps::one(d, "Round", at[0]);
        made = elementAt(d, from, row, steps::one(d, "Round", at[1]), isZeroOutside);
    } else {
        made = between(d, from, at[0], at[1], isZeroOutside);
    }
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

// The places of `count` samples in each of `bins` parts of [begin, end]: [n, bins * count]. What
// lies more than one element outside is marked.
struct Samples {
    std::string at;
    std::string isFar;
};

Samples samplesOf(LiftDraft& d, const std::string& begin, const std::string& length,
                  std::int64_t bins, std::int64_t count, const std::string& size)
{
    std::vector<float> shares;
    for (std::int64_t i = 0; i < bins * count; ++i)
        shares.push_back((float(i) + 0.5F) / float(bins * count));
    const std::string share = d.floatList({1, bins * count}, shares);
    const std::string at = both(d, "AddV2", begin, both(d, "Mul", length, share));
    const std::string before = both(d, "Less", at, d.oneFloat(-1));
    Samples made;
    made.isFar = d.step("LogicalOr", {before, both(d, "Greater", at, size)});
    made.at = clamped(d, at, lastOf(d, size));
    return made;
}

// Means of samples in parts of regions [n, 4]: x and y of two corners.
bool liftRoiAlign(LiftDraft& d)
{
    const std::int64_t height = d.intAttr("output_height", 1);
    const std::int64_t width = d.intAttr("output_width", 1);
    const std::int64_t count = d.intAttr("sampling_ratio", 0);
    constexpr std::int64_t mostSamples = 1024; // along an axis
    const auto fits = [&](std::int64_t parts) {
        return parts > 0 && parts <= mostSamples && count <= mostSamples / parts;
    };
    const std::string_view mode = d.textAttr("mode");
    if (!isFloat(d) || count < 1 || !fits(height) || !fits(width) ||
        (!mode.empty() && mode != "avg"))
        return false;
    const std::string_view transform = d.textAttr("coordinate_transformation_mode");
    const bool isHalf = transform.empty() ? d.opset() >= 16 : transform == "half_pixel";
    const std::string x = d.in(0);
    const std::string rows = steps::cast(d, d.in(2), d.type(2), DType::Int32);
    const Sampled from{channelsLast(d, x, DType::Float),
                       reshaped(d, rows, DType::Int32, {-1, 1, 1}), floatSize(d, x, 2),
                       floatSize(d, x, 3)};
    std::string corners = both(d, "Mul", d.in(1), d.oneFloat(d.floatAttr("spatial_scale", 1)));
    if (isHalf)
        corners = both(d, "Sub", corners, d.oneFloat(0.5F));
    const auto along = [&](std::int64_t first, std::int64_t bins, const std::string& size) {
        const std::string begin = steps::expandDims(d, column(d, corners, first), DType::Float, 1);
        const std::string end =
            steps::expandDims(d, column(d, corners, first + 2), DType::Float, 1);
        std::string length = both(d, "Sub", end, begin);
        if (!isHalf)
            length = both(d, "Maximum", length, d.oneFloat(1));
        return samplesOf(d, begin, length, bins, count, size);
    };
    const Samples down = along(1, height, from.height);
    const Samples across = along(0, width, from.width);
    const auto wide = [&](const std::string& a, std::int64_t axis, DType dtype) {
        return steps::expandDims(d, a, dtype, axis);
    };
    const std::string y = wide(down.at, 2, DType::Float);
    const std::string z = wide(across.at, 1, DType::Float);
    const std::string allY = both(d, "AddV2", y, steps::one(d, "ZerosLike", z));
    const std::string allX = both(d, "AddV2", z, steps::one(d, "ZerosLike", y));
    const std::string isFar =
        d.step("LogicalOr", {wide(down.isFar, 2, DType::Bool), wide(across.isFar, 1, DType::Bool)});
    std::string made = between(d, from, allY, allX, false);
    made = steps::select(d, wide(isFar, 3, DType::Bool), steps::one(d, "ZerosLike", made), made,
                         DType::Float);
    made = d.step("AvgPool", {made},
                  {typeAttr("T", DType::Float),
                   {"ksize", attr::fromInts({1, count, count, 1})},
                   {"strides", attr::fromInts({1, count, count, 1})},
                   {"padding", attr::fromString("VALID")}});
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

constexpr std::array samplers = std::to_array<OnnxLift>({
    {"GridSample", liftGridSample},
    {"RoiAlign", liftRoiAlign},
});

} // namespace

bool liftOnnxSample(LiftDraft& draft)
{
    return liftFrom(samplers, draft);
}

} // namespace lapidary
