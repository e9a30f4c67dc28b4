// SPDX-License-Identifier: Apache-2.0
// Lifts operators that read pictures between their elements.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/lift/onnx/onnx_window.h"

#include <array>

namespace lapidary {
namespace {

using steps::both;
using Ints = LiftDraft::Ints;

// A value along each axis of the pictures.
using Along = std::vector<std::string>;

// Pictures [n, ..., c], and the picture of each sample. Everything except the values and the number
// of the picture is float.
struct Sampled {
    std::string values;
    std::string picture; // number of the picture, int32, broadcast over the samples
    Along sizes;
};

// One of the elements that a value is interpolated from: its index along an axis, and its weight.
struct Tap {
    std::string at;
    std::string share; // empty: 1
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

// Returns whether a coordinate is in the picture, as 0 or 1 for all channels.
std::string insideOf(LiftDraft& d, const Sampled& from, const Along& at)
{
    std::string isInside;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
        const std::string begins = both(d, "GreaterEqual", at[axis], d.oneFloat(0));
        const std::string within =
            d.step("LogicalAnd", {begins, both(d, "Less", at[axis], from.sizes[axis])});
        isInside = isInside.empty() ? within : d.step("LogicalAnd", {isInside, within});
    }
    return steps::expandDims(d, steps::cast(d, isInside, DType::Bool, DType::Float), DType::Float,
                             -1);
}

// Returns the elements at integer coordinates of one shape; outside of the picture, the nearest
// border elements.
std::string elementsAt(LiftDraft& d, const Sampled& from, const Along& at)
{
    std::vector<std::string> parts;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
        parts.push_back(steps::cast(d, clamped(d, at[axis], lastOf(d, from.sizes[axis])),
                                    DType::Float, DType::Int32));
    const std::string zeros = steps::one(d, "ZerosLike", parts[0], DType::Int32);
    parts.insert(parts.begin(), both(d, "AddV2", zeros, from.picture, DType::Int32));
    const auto count = std::int64_t(parts.size());
    const std::string places = d.step(
        "Pack", std::move(parts),
        {{"N", attr::fromInt(count)}, {"axis", attr::fromInt(-1)}, typeAttr("T", DType::Int32)});
    return d.step("GatherNd", {from.values, places},
                  {typeAttr("Tparams", DType::Float), typeAttr("Tindices", DType::Int32)});
}

// Returns the two elements around each coordinate.
std::vector<Tap> linearTaps(LiftDraft& d, const std::string& at)
{
    const std::string first = steps::one(d, "Floor", at);
    const std::string rest = both(d, "Sub", at, first);
    return {{first, both(d, "Sub", d.oneFloat(1), rest)},
            {both(d, "AddV2", first, d.oneFloat(1)), rest}};
}

// Returns the four elements around each coordinate, for cubic convolution with a = -0.75.
std::vector<Tap> cubicTaps(LiftDraft& d, const std::string& at)
{
    constexpr float a = -0.75F;
    const std::string first = steps::one(d, "Floor", at);
    const std::string rest = both(d, "Sub", at, first);
    // ((c3 x + c2) x + c1) x + c0, with the distance x
    const auto share = [&](const std::string& x, const std::array<float, 4>& c) {
        std::string sum = d.oneFloat(c[3]);
        for (const std::size_t i : {2U, 1U, 0U})
            sum = both(d, "AddV2", both(d, "Mul", sum, x), d.oneFloat(c[i]));
        return sum;
    };
    constexpr std::array near{1.0F, 0.0F, -(a + 3), a + 2};
    constexpr std::array far{-4 * a, 8 * a, -5 * a, a};
    std::vector<Tap> taps;
    for (const int step : {-1, 0, 1, 2}) {
        const std::string moved = both(d, "Sub", rest, d.oneFloat(float(step)));
        taps.push_back({both(d, "AddV2", first, d.oneFloat(float(step))),
                        share(steps::one(d, "Abs", moved), step == 0 || step == 1 ? near : far)});
    }
    return taps;
}

// Sums the elements at all combinations of the axes' taps, weighted by the products of their
// shares.
std::string weighted(LiftDraft& d, const Sampled& from, const std::vector<std::vector<Tap>>& taps,
                     bool isZeroOutside)
{
    std::size_t count = 1;
    for (const auto& axis : taps)
        count *= axis.size();
    std::string sum;
    for (std::size_t i = 0; i < count; ++i) {
        Along at;
        std::string share;
        std::size_t rest = i;
        for (const auto& axis : taps) {
            const Tap& tap = axis[rest % axis.size()];
            rest /= axis.size();
            at.push_back(tap.at);
            if (!tap.share.empty())
                share = share.empty() ? tap.share : both(d, "Mul", share, tap.share);
        }
        std::string part = elementsAt(d, from, at);
        if (isZeroOutside)
            part = both(d, "Mul", part, insideOf(d, from, at));
        if (!share.empty())
            part = both(d, "Mul", part, steps::expandDims(d, share, DType::Float, -1));
        sum = sum.empty() ? part : both(d, "AddV2", sum, part);
    }
    return sum;
}

// Converts [-1, 1] to coordinates: the ends are the edges of the picture or, if `aligns`, the
// centers of its first and last elements.
std::string onPicture(LiftDraft& d, const std::string& at, const std::string& size, bool aligns)
{
    const std::string moved = both(d, "AddV2", at, d.oneFloat(1));
    const std::string whole = both(d, "Mul", moved, aligns ? lastOf(d, size) : size);
    const std::string twice = aligns ? whole : lastOf(d, whole);
    return both(d, "Mul", twice, d.oneFloat(0.5F));
}

// Mirrors coordinates beyond the edges back into the picture.
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

// Returns the number of each picture, [n, 1, ...].
std::string countPictures(LiftDraft& d, const std::string& x, std::size_t axes)
{
    const std::string count = steps::sizeAt(d, x, DType::Float, 0, DType::Int32);
    const std::string zero = d.oneInt(0);
    const std::string all =
        d.step("Range", {zero, count, d.oneInt(1)}, {typeAttr("Tidx", DType::Int32)});
    Ints dims(axes + 1, 1);
    dims[0] = -1;
    return reshaped(d, all, DType::Int32, dims);
}

std::string column(LiftDraft& d, const std::string& x, std::int64_t place)
{
    return steps::gather(d, x, DType::Float, d.oneInt(place), DType::Int32, -1);
}

enum class Sampling : std::uint8_t { Nearest, Linear, Cubic };

std::optional<Sampling> samplingOf(std::string_view mode)
{
    if (mode == "nearest")
        return Sampling::Nearest;
    if (mode.empty() || mode == "bilinear" || mode == "linear")
        return Sampling::Linear;
    if (mode == "bicubic" || mode == "cubic")
        return Sampling::Cubic;
    return std::nullopt;
}

bool liftGridSample(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const auto sampling = samplingOf(d.textAttr("mode"));
    const std::string_view padding = d.textAttr("padding_mode");
    if (!isFloat(d) || !shape || (shape->dims.size() != 4 && shape->dims.size() != 5) || !sampling)
        return false;
    const std::size_t axes = shape->dims.size() - 2;
    const bool aligns = d.intAttr("align_corners", 0) != 0;
    const bool isReflected = padding == "reflection";
    const std::string x = d.in(0);
    Sampled from{toPicture(d, x, axes, DType::Float), countPictures(d, x, axes), {}};
    std::vector<std::vector<Tap>> taps;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::string size = floatSize(d, x, std::int64_t(axis) + 2);
        from.sizes.push_back(size);
        std::string at =
            onPicture(d, column(d, d.in(1), std::int64_t(axes - axis) - 1), size, aligns);
        if (isReflected && *sampling != Sampling::Cubic)
            at = reflected(d, at, size, aligns);
        if (*sampling == Sampling::Nearest)
            taps.push_back({{steps::one(d, "Round", at), {}}});
        else if (*sampling == Sampling::Linear)
            taps.push_back(linearTaps(d, at));
        else
            taps.push_back(cubicTaps(d, at));
        for (Tap& tap : taps.back())
            if (isReflected && *sampling == Sampling::Cubic)
                tap.at = reflected(d, tap.at, size, aligns);
    }
    const std::string made = weighted(d, from, taps, padding.empty() || padding == "zeros");
    d.give({fromPicture(d, made, axes, DType::Float)});
    return true;
}

// Ranges of coordinates along one axis of a picture of that size: [n, 1] each.
struct Ranges {
    std::string begin;
    std::string length;
    std::string size;
};

// The coordinates of samples [n, count], and which of them are outside of the picture by more than
// one element.
struct Samples {
    std::string at;
    std::string isFar;
};

// Returns the coordinates of `count` samples spread evenly over each range.
Samples samplesOf(LiftDraft& d, const Ranges& ranges, std::int64_t count)
{
    const std::string& size = ranges.size;
    std::vector<float> shares;
    for (std::int64_t i = 0; i < count; ++i)
        shares.push_back((float(i) + 0.5F) / float(count));
    const std::string share = d.floatList({1, count}, shares);
    const std::string at = both(d, "AddV2", ranges.begin, both(d, "Mul", ranges.length, share));
    const std::string before = both(d, "Less", at, d.oneFloat(-1));
    Samples made;
    made.isFar = d.step("LogicalOr", {before, both(d, "Greater", at, size)});
    made.at = clamped(d, at, lastOf(d, size));
    return made;
}

// Averages samples in parts of regions [n, 4], given by x and y of two corners.
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
                       reshaped(d, rows, DType::Int32, {-1, 1, 1}),
                       {floatSize(d, x, 2), floatSize(d, x, 3)}};
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
        return samplesOf(d, {begin, length, size}, bins * count);
    };
    const Samples down = along(1, height, from.sizes[0]);
    const Samples across = along(0, width, from.sizes[1]);
    const auto wide = [&](const std::string& a, std::int64_t axis, DType dtype) {
        return steps::expandDims(d, a, dtype, axis);
    };
    const std::string y = wide(down.at, 2, DType::Float);
    const std::string z = wide(across.at, 1, DType::Float);
    const std::string allY = both(d, "AddV2", y, steps::one(d, "ZerosLike", z));
    const std::string allX = both(d, "AddV2", z, steps::one(d, "ZerosLike", y));
    const std::string isFar =
        d.step("LogicalOr", {wide(down.isFar, 2, DType::Bool), wide(across.isFar, 1, DType::Bool)});
    std::string made = weighted(d, from, {linearTaps(d, allY), linearTaps(d, allX)}, false);
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
