// SPDX-License-Identifier: Apache-2.0
// Resizes, axis by axis, with the positions and weights of ONNX' formulas.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostElements = 1 << 16; // along an axis
constexpr double mostTaps = 64;                // for one element of the result

struct Resize {
    std::string_view mode;     // nearest, linear, cubic
    std::string_view way;      // coordinate transformation mode
    std::string_view rounding; // for nearest
    double cubic = -0.75;
    bool isWithin = false; // positions outside do not count
    bool isSmooth = false; // when shrinking, every element of the picture contributes
};

struct Axis {
    std::int64_t place = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    double scale = 1;
};

double placeOf(const Resize& r, const Axis& a, std::int64_t i)
{
    const double x = double(i);
    if (r.way == "asymmetric")
        return x / a.scale;
    if (r.way == "align_corners")
        return a.to == 1 ? 0 : x * double(a.from - 1) / double(a.to - 1);
    if (r.way == "pytorch_half_pixel" && a.to == 1)
        return 0;
    if (r.way == "tf_half_pixel_for_nn")
        return (x + 0.5) / a.scale;
    if (r.way == "half_pixel_symmetric") {
        const double adjusted = double(a.to) / (a.scale * double(a.from));
        return double(a.from) / 2 * (1 - adjusted) + (x + 0.5) / a.scale - 0.5;
    }
    return (x + 0.5) / a.scale - 0.5;
}

std::int64_t nearest(std::string_view rounding, double place)
{
    if (rounding == "floor")
        return std::int64_t(std::floor(place));
    if (rounding == "ceil")
        return std::int64_t(std::ceil(place));
    return std::int64_t(rounding == "round_prefer_ceil" ? std::floor(place + 0.5)
                                                        : std::ceil(place - 0.5));
}

// Returns the weight of an element at that distance.
double weightAt(const Resize& r, double distance)
{
    const double x = std::abs(distance);
    if (r.mode == "linear")
        return std::max(1 - x, 0.0);
    const double a = r.cubic;
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

std::string nearestAlong(LiftDraft& d, const std::string& x, DType dtype, const Resize& r,
                         const Axis& axis)
{
    Ints places;
    for (std::int64_t i = 0; i < axis.to; ++i)
        places.push_back(
            std::clamp<std::int64_t>(nearest(r.rounding, placeOf(r, axis, i)), 0, axis.from - 1));
    return steps::gather(d, x, dtype, d.intList(places), DType::Int32, axis.place);
}

// Returns the factor of distances that makes every element contribute.
double narrowing(const Resize& r, const Axis& axis)
{
    return r.isSmooth ? std::min(axis.scale, 1.0) : 1.0;
}

// Returns the number of contributing elements on both sides; with a scale near 0, it is too large
// for an integer.
double tapsOf(const Resize& r, const Axis& axis)
{
    return 2 * std::ceil((r.mode == "linear" ? 1 : 2) / narrowing(r, axis));
}

// Returns whether each axis occurs once, and the positions and weights fit into the memory limit.
bool isBounded(LiftDraft& d, const Resize& r, const std::vector<Axis>& axes, std::size_t rank)
{
    double all = 0;
    for (const Axis& axis : axes) {
        if (tapsOf(r, axis) > mostTaps)
            return false;
        all += double(axis.to) * (r.mode == "nearest" ? 1 : tapsOf(r, axis));
    }
    return axes.size() <= rank && d.functions().hasRoom(std::int64_t(all));
}

std::string weightedAlong(LiftDraft& d, const std::string& x, std::size_t rank, const Resize& r,
                          const Axis& axis)
{
    const auto taps = std::size_t(tapsOf(r, axis));
    std::vector<Ints> places(taps);
    std::vector<std::vector<float>> weights(taps);
    for (std::int64_t i = 0; i < axis.to; ++i) {
        const double place = placeOf(r, axis, i);
        const auto first = std::int64_t(std::floor(place)) - std::int64_t(taps / 2) + 1;
        std::vector<double> own;
        double sum = 0;
        for (std::size_t tap = 0; tap < taps; ++tap) {
            const std::int64_t at = first + std::int64_t(tap);
            const bool counts = !r.isWithin || (at >= 0 && at < axis.from);
            own.push_back(counts ? weightAt(r, (double(at) - place) * narrowing(r, axis)) : 0);
            sum += own[tap];
            places[tap].push_back(std::clamp<std::int64_t>(at, 0, axis.from - 1));
        }
        const bool isShare = (r.isWithin || r.isSmooth) && sum != 0;
        for (std::size_t tap = 0; tap < taps; ++tap)
            weights[tap].push_back(float(isShare ? own[tap] / sum : own[tap]));
    }
    Ints dims(rank, 1);
    dims[std::size_t(axis.place)] = axis.to;
    std::string made;
    for (std::size_t tap = 0; tap < taps; ++tap) {
        const std::string part =
            steps::gather(d, x, DType::Float, d.intList(places[tap]), DType::Int32, axis.place);
        const std::string scaled = steps::both(d, "Mul", part, d.floatList(dims, weights[tap]));
        made = tap == 0 ? scaled : steps::both(d, "AddV2", made, scaled);
    }
    return made;
}

// The requested sizes or scales, from inputs and attributes of all versions of the operator.
struct Asked {
    std::optional<std::vector<double>> scales;
    std::optional<Ints> sizes;
};

Asked askedOf(const LiftDraft& d)
{
    Asked asked;
    const bool isOld = d.node().op() == "Upsample" || d.opset() < 11;
    if (isOld && d.has(1))
        asked.scales = d.numbers(1);
    else if (isOld) {
        const auto given = d.node().attr("scales").floats();
        asked.scales = std::vector<double>(given.begin(), given.end());
    } else {
        if (d.has(2))
            asked.scales = d.numbers(2);
        if (d.has(3))
            asked.sizes = d.ints(3);
    }
    if (asked.scales && asked.scales->empty())
        asked.scales.reset();
    return asked;
}

std::optional<Resize> resizeOf(const LiftDraft& d)
{
    constexpr std::array ways = std::to_array<std::string_view>(
        {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
         "half_pixel_symmetric"});
    const bool isOld = d.node().op() == "Upsample" || d.opset() < 11;
    const auto word = [&](std::string_view name, std::string_view standard) {
        const std::string_view given = d.textAttr(name);
        return given.empty() ? standard : given;
    };
    Resize resize;
    resize.mode = word("mode", "nearest");
    if (resize.mode == "bilinear")
        resize.mode = "linear";
    resize.way = word("coordinate_transformation_mode", isOld ? "asymmetric" : "half_pixel");
    resize.rounding = word("nearest_mode", isOld ? "floor" : "round_prefer_floor");
    resize.cubic = double(d.floatAttr("cubic_coeff_a", -0.75F));
    resize.isWithin = d.intAttr("exclude_outside", 0) != 0;
    const bool isKnown =
        resize.mode == "nearest" || resize.mode == "linear" || resize.mode == "cubic";
    if (!isKnown || std::ranges::find(ways, resize.way) == ways.end())
        return std::nullopt;
    resize.isSmooth = d.intAttr("antialias", 0) != 0 && resize.mode != "nearest";
    return resize;
}

bool keepsProportions(const LiftDraft& d)
{
    const std::string_view policy = d.textAttr("keep_aspect_ratio_policy");
    return !policy.empty() && policy != "stretch";
}

// Sets sizes that keep the picture's proportions: one scale for all axes, so that it fits into the
// requested sizes or covers them.
bool keepProportions(const LiftDraft& d, std::vector<Axis>& axes)
{
    const std::string_view policy = d.textAttr("keep_aspect_ratio_policy");
    if (!keepsProportions(d) || axes.empty())
        return true;
    if (policy != "not_larger" && policy != "not_smaller")
        return false;
    const auto [least, most] = std::ranges::minmax(axes, {}, &Axis::scale);
    const double scale = policy == "not_larger" ? least.scale : most.scale;
    for (Axis& axis : axes) {
        axis.scale = scale;
        axis.to = std::int64_t(std::floor(scale * double(axis.from) + 0.5));
        if (axis.to < 1 || axis.to > mostElements)
            return false;
    }
    return true;
}

std::optional<std::vector<Axis>> axesOf(const LiftDraft& d)
{
    const auto shape = d.shape(0);
    const Asked asked = askedOf(d);
    if (!shape || (!asked.scales && !asked.sizes))
        return std::nullopt;
    const auto rank = std::int64_t(shape->dims.size());
    Ints places = d.intsAttr("axes");
    if (places.empty()) {
        places.resize(std::size_t(rank));
        std::iota(places.begin(), places.end(), 0);
    }
    const std::size_t count = asked.scales ? asked.scales->size() : asked.sizes->size();
    std::vector<Axis> axes;
    if (count != places.size())
        return std::nullopt;
    const bool keepsAll = keepsProportions(d);
    for (std::size_t i = 0; i < count; ++i) {
        Axis axis;
        axis.place = places[i] + (places[i] < 0 ? rank : 0);
        if (axis.place < 0 || axis.place >= rank)
            return std::nullopt;
        axis.from = shape->dims[std::size_t(axis.place)];
        const bool isKnown = axis.from >= 1 && axis.from <= mostElements;
        if (asked.scales) {
            axis.scale = (*asked.scales)[i];
            if (axis.scale == 1)
                continue;
            if (!isKnown || !(axis.scale > 0) || axis.scale * double(axis.from) > mostElements)
                return std::nullopt;
            axis.to = std::int64_t(std::floor(double(axis.from) * axis.scale));
        } else {
            axis.to = (*asked.sizes)[i];
            if (axis.to == axis.from && !keepsAll)
                continue;
            if (!isKnown || axis.to < 1 || axis.to > mostElements)
                return std::nullopt;
            axis.scale = double(axis.to) / double(axis.from);
        }
        axes.push_back(axis);
    }
    if (asked.sizes && !keepProportions(d, axes))
        return std::nullopt;
    return axes;
}

// The way TensorFlow's ops position the elements of a resized axis.
struct Placing {
    bool aligns = false; // "align_corners"
    bool halves = false; // "half_pixel_centers"

    double between(std::int64_t from, std::int64_t to, std::int64_t i) const
    {
        const double step =
            aligns && to > 1 ? double(from - 1) / double(to - 1) : double(from) / double(to);
        return halves ? (double(i) + 0.5) * step - 0.5 : double(i) * step;
    }
    // Rounds as the kernels do.
    double nearest(std::int64_t from, std::int64_t to, std::int64_t i) const
    {
        const float step =
            aligns && to > 1 ? float(from - 1) / float(to - 1) : float(from) / float(to);
        const float place = (float(i) + (halves ? 0.5F : 0)) * step;
        return double(aligns ? std::round(place) : std::floor(place));
    }
};

void giveResized(LiftDraft& d, const Resize& resize, const std::vector<std::string>& inputs,
                 const Placing& placing)
{
    const DType dtype = d.type(0);
    const std::string made =
        d.step(resize.mode == "nearest" ? "ResizeNearestNeighbor" : "ResizeBilinear", inputs,
               {typeAttr("T", dtype),
                {"align_corners", attr::fromBool(placing.aligns)},
                {"half_pixel_centers", attr::fromBool(placing.halves)}});
    d.give({channelsSecond(d, made, dtype)});
}

// Returns the first element of axes that shrink to one: PyTorch's mode selects it, while TensorFlow
// takes the middle.
std::string firstOfSingles(LiftDraft& d, const std::string& picture, const std::string& sizes,
                           DType dtype)
{
    const std::string own =
        steps::part(d, steps::sizes(d, picture, dtype, DType::Int32), 1, 2, DType::Int32);
    const std::string ones = d.intList({1, 1});
    const std::string isOne = steps::both(d, "Equal", sizes, ones, DType::Int32);
    const std::string kept = d.step("SelectV2", {isOne, ones, own}, {typeAttr("T", DType::Int32)});
    const std::string all = d.intList({-1});
    const std::string count = d.step(
        "ConcatV2", {all, kept, all, d.oneInt(0)},
        {typeAttr("T", DType::Int32), typeAttr("Tidx", DType::Int32), {"N", attr::fromInt(3)}});
    return d.step("Slice", {picture, d.intList({0, 0, 0, 0}), count},
                  {typeAttr("T", dtype), typeAttr("Index", DType::Int32)});
}

// Lifts pictures whose sizes are computed in the run, if TensorFlow's kernels give the same result.
bool liftComputed(LiftDraft& d, const Resize& resize)
{
    const auto shape = d.shape(0);
    const bool isHalf = resize.way == "half_pixel" || resize.way == "pytorch_half_pixel" ||
                        resize.way == "tf_half_pixel_for_nn";
    const bool isNearest =
        resize.mode == "nearest" &&
        (resize.way == "asymmetric" || resize.way == "tf_half_pixel_for_nn"
             ? resize.rounding == "floor"
             : resize.rounding == "round_prefer_ceil" &&
                   (resize.way == "half_pixel" || resize.way == "align_corners"));
    const bool isLinear = resize.mode == "linear" &&
                          (resize.way == "half_pixel" || resize.way == "pytorch_half_pixel" ||
                           resize.way == "asymmetric" || resize.way == "align_corners");
    if (!shape || shape->dims.size() != 4 || d.node().hasAttr("axes") || keepsProportions(d) ||
        resize.isSmooth || (!isNearest && !isLinear))
        return false;
    const KnownValuesPtr target = d.has(3) ? d.state(3).known : nullptr;
    const auto isMany = [&](std::size_t axis) {
        return target && axis < target->items.size() && target->items[axis] > 1;
    };
    const bool mayBeOne =
        d.has(3) && resize.way == "pytorch_half_pixel" && (!isMany(2) || !isMany(3));
    const DType dtype = d.type(0);
    std::string picture = channelsLast(d, d.in(0), dtype);
    std::string sizes;
    const Asked asked = askedOf(d);
    if (d.has(3)) {
        sizes = steps::cast(d, steps::part(d, d.in(3), 2, 2, d.type(3)), d.type(3), DType::Int32);
    } else if (asked.scales && asked.scales->size() == 4 && (*asked.scales)[0] == 1 &&
               (*asked.scales)[1] == 1) {
        Ints factors;
        for (std::size_t axis = 2; axis < 4; ++axis) {
            const double factor = (*asked.scales)[axis];
            if (factor < 1 || factor > mostElements || factor != std::floor(factor))
                return false;
            factors.push_back(std::int64_t(factor));
        }
        const std::string own =
            steps::part(d, steps::sizes(d, picture, dtype, DType::Int32), 1, 2, DType::Int32);
        sizes = steps::both(d, "Mul", own, d.intList(factors), DType::Int32);
    } else {
        return false;
    }
    if (mayBeOne)
        picture = firstOfSingles(d, picture, sizes, dtype);
    giveResized(d, resize, {picture, sizes}, {resize.way == "align_corners", isHalf});
    return true;
}

// Returns how a TensorFlow op positions all elements of those axes in the same way as the operator;
// nothing if none does.
std::optional<Placing> placingOf(const Resize& resize, const std::vector<Axis>& axes)
{
    const auto isSame = [&](const Axis& axis, const Placing& placing) {
        for (std::int64_t i = 0; i < axis.to; ++i) {
            const auto last = double(axis.from - 1);
            const double own = placeOf(resize, axis, i);
            const bool fits = resize.mode == "nearest"
                                  ? std::clamp(double(nearest(resize.rounding, own)), 0.0, last) ==
                                        std::min(placing.nearest(axis.from, axis.to, i), last)
                                  : std::abs(std::clamp(own, 0.0, last) -
                                             std::clamp(placing.between(axis.from, axis.to, i), 0.0,
                                                        last)) <= 1e-6 * double(axis.from);
            if (!fits)
                return false;
        }
        return true;
    };
    for (const Placing& placing : {Placing{}, Placing{.halves = true}, Placing{.aligns = true}})
        if (std::ranges::all_of(axes, [&](const Axis& axis) { return isSame(axis, placing); }))
            return placing;
    return std::nullopt;
}

// Lifts to one op, for a graph that will be written, if TensorFlow has an equivalent one.
bool liftWhole(LiftDraft& d, const Resize& resize, const std::vector<Axis>& axes)
{
    const Shape shape = *d.shape(0);
    const DType dtype = d.type(0);
    const bool isKnownType = dtype == DType::Float || dtype == DType::Int8 || dtype == DType::UInt8;
    if (!d.isWritten() || shape.dims.size() != 4 || shape.dims[2] < 1 || shape.dims[3] < 1 ||
        resize.mode == "cubic" || !isKnownType || axes.empty())
        return false;
    Ints sizes{shape.dims[2], shape.dims[3]};
    for (const Axis& axis : axes) {
        if (axis.place < 2 || narrowing(resize, axis) != 1)
            return false;
        sizes[std::size_t(axis.place) - 2] = axis.to;
    }
    const auto placing = placingOf(resize, axes);
    if (!placing)
        return false;
    giveResized(d, resize, {channelsLast(d, d.in(0), dtype), d.intList(sizes)}, *placing);
    return true;
}

bool liftResize(LiftDraft& d)
{
    const auto resize = resizeOf(d);
    const auto axes = axesOf(d);
    const DType dtype = d.type(0);
    if (resize && !axes && (resize->mode == "nearest" || dtype == DType::Float))
        return liftComputed(d, *resize);
    if (!resize || !axes || (resize->mode != "nearest" && dtype != DType::Float))
        return false;
    if (liftWhole(d, *resize, *axes))
        return true;
    const std::size_t rank = d.shape(0)->dims.size();
    if (!isBounded(d, *resize, *axes, rank))
        return false;
    std::string made = d.in(0);
    for (const Axis& axis : *axes)
        made = resize->mode == "nearest" ? nearestAlong(d, made, dtype, *resize, axis)
                                         : weightedAlong(d, made, rank, *resize, axis);
    d.give({made});
    return true;
}

constexpr std::array resizes = std::to_array<OnnxLift>({
    {"Resize", liftResize},
    {"Upsample", liftResize},
});

} // namespace

bool liftOnnxResize(LiftDraft& draft)
{
    return liftFrom(resizes, draft);
}

} // namespace lapidary
