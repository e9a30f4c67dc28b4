// SPDX-License-Identifier: Apache-2.0
// Convolutions and other ops on pictures [n, c, h, w]; TensorFlow's kernels have the channels last.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/lifted_convolutions.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/lift/onnx/onnx_window.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Reorders weights as in TensorFlow: [out, in, ...] to [..., in, out].
std::string filterOf(LiftDraft& d, const std::string& weights, std::size_t axes)
{
    if (axes == 3)
        return transposed(d, weights, DType::Float, {2, 3, 4, 1, 0});
    const std::string plane = axes == 1 ? steps::expandDims(d, weights, DType::Float, 2) : weights;
    return transposed(d, plane, DType::Float, {2, 3, 1, 0});
}

} // namespace

// The weights are [out, in / group, ...].
std::string convolved(LiftDraft& d, const std::string& input, const std::string& filter,
                      const std::optional<Ints>& weights, const std::string& bias)
{
    if (!weights || weights->size() < 3)
        return {};
    const auto given = windowOf(d, Ints(weights->begin() + 2, weights->end()));
    const std::int64_t group = d.intAttr("group", 1);
    if (!given || given->axes() + 2 != weights->size() || group < 1 || (*weights)[0] % group != 0)
        return {};
    const std::size_t axes = given->axes();
    const OnnxWindow window = withTwoAxes(*given);
    const bool isDepthwise = group > 1 && (*weights)[1] == 1 && axes < 3;
    const std::string x =
        withBorders(d, toPicture(d, input, axes, DType::Float), window.before, window.after, 0);
    std::string made;
    if (isDepthwise) {
        const Ints dims{group, (*weights)[0] / group, window.size[0], window.size[1]};
        const std::string parts = reshaped(d, filter, DType::Float, dims);
        const std::string turned = transposed(d, parts, DType::Float, {2, 3, 0, 1});
        made = depthwiseConv(d, x, turned,
                             {.filter = {dims[2], dims[3], dims[0], dims[1]},
                              .stride = window.stride,
                              .dilation = window.dilation,
                              .isSame = window.isSame});
    } else {
        LiftDraft::Attrs attrs = window.attrs();
        attrs.emplace_back("dilations", attr::fromInts(OnnxWindow::inner(window.dilation)));
        made = groupedConv(d, axes == 3 ? "Conv3D" : "Conv2D", x, filterOf(d, filter, axes), group,
                           std::move(attrs));
    }
    if (made.empty())
        return made;
    if (!bias.empty())
        made = d.step("BiasAdd", {made, bias}, floats());
    return fromPicture(d, made, axes, DType::Float);
}

namespace {

bool liftConv(LiftDraft& d)
{
    if (d.type(0) != DType::Float)
        return false;
    const std::string bias = d.has(2) ? d.in(2) : "";
    const std::string made = convolved(d, d.in(0), d.in(1), d.dims(1), bias);
    if (made.empty())
        return false;
    d.give({made});
    return true;
}

// com.microsoft: a convolution, an addend, and an activation.
bool liftFusedConv(LiftDraft& d)
{
    const std::string_view activation = d.textAttr("activation");
    const auto told = d.node().attr("activation_params").floats();
    const auto parameter = [&](std::size_t i, float standard) {
        return i < told.size() ? told[i] : standard;
    };
    const bool isPlain = activation == "Relu" || activation == "Sigmoid" || activation == "Tanh";
    if (d.type(0) != DType::Float ||
        (!isPlain && activation != "LeakyRelu" && activation != "Clip" && !activation.empty()))
        return false;
    const std::string bias = d.has(2) ? d.in(2) : "";
    std::string made = convolved(d, d.in(0), d.in(1), d.dims(1), bias);
    if (made.empty())
        return false;
    if (d.has(3))
        made = steps::both(d, "AddV2", made, d.in(3));
    if (isPlain)
        made = steps::one(d, activation, made);
    if (activation == "LeakyRelu")
        made =
            d.step("LeakyRelu", {made},
                   {typeAttr("T", DType::Float), {"alpha", attr::fromFloat(parameter(0, 0.01F))}});
    if (activation == "Clip") {
        made = steps::both(d, "Maximum", made, d.oneFloat(parameter(0, -3.4e38F)));
        made = steps::both(d, "Minimum", made, d.oneFloat(parameter(1, 3.4e38F)));
    }
    d.give({made});
    return true;
}

// The borders to cut off the result of a transposed convolution, and the padding to add afterwards.
struct Cut {
    Ints before;
    Ints after;
    Ints added;
};

std::optional<Cut> cutOf(const LiftDraft& d, const OnnxWindow& window, std::size_t axes)
{
    Ints extra = d.intsAttr("output_padding");
    extra.resize(axes, 0);
    if (axes == 1)
        extra.insert(extra.begin(), 0);
    if (std::ranges::any_of(extra, [](auto size) { return size < 0 || size > mostOnnxSize; }))
        return std::nullopt;
    Cut cut{window.before, window.after, Ints(2, 0)};
    const bool isSame = d.textAttr("auto_pad").starts_with("SAME");
    const auto shape = d.shape(0);
    const Ints sizes = d.intsAttr("output_shape");
    for (std::size_t axis = 0; axis < 2; ++axis) {
        std::int64_t all = cut.before[axis] + cut.after[axis];
        const bool isNew = axes == 1 && axis == 0;
        if (!sizes.empty() && !isNew) {
            const std::size_t own = axis + axes - 2;
            if (!shape || own >= sizes.size() || own + 2 >= shape->dims.size() ||
                shape->dims[own + 2] < 1 || shape->dims[own + 2] > mostOnnxSize || sizes[own] < 1 ||
                sizes[own] > mostOnnxSize)
                return std::nullopt;
            all = window.stride[axis] * (shape->dims[own + 2] - 1) + extra[axis] +
                  window.size[axis] - sizes[own];
        } else if (isSame && !isNew) {
            all = window.size[axis] + extra[axis] - window.stride[axis];
        }
        if (all < -extra[axis] - window.stride[axis])
            return std::nullopt;
        if ((isSame || !sizes.empty()) && !isNew) {
            extra[axis] += std::max<std::int64_t>(-all, 0);
            all = std::max<std::int64_t>(all, 0);
            const bool isUpper = d.textAttr("auto_pad") == "SAME_UPPER";
            cut.before[axis] = isUpper ? all / 2 : all - all / 2;
            cut.after[axis] = all - cut.before[axis];
        }
        cut.added[axis] = std::max<std::int64_t>(extra[axis] - cut.after[axis], 0);
        cut.after[axis] = std::max<std::int64_t>(cut.after[axis] - extra[axis], 0);
        if (cut.added[axis] >= window.stride[axis])
            return std::nullopt;
    }
    return cut;
}

// Returns the whole result for the picture [n, h, w, c] with the filter [h, w, out, in].
std::string wholeTransposed(LiftDraft& d, const std::string& picture, const std::string& filter,
                            std::int64_t outputs, const OnnxWindow& window, const Cut& cut)
{
    const std::string all = steps::sizes(d, picture, DType::Float, DType::Int32);
    const std::string inner = steps::part(d, all, 1, 2, DType::Int32);
    const std::string less = steps::both(d, "Sub", inner, d.oneInt(1), DType::Int32);
    const std::string spread = steps::both(d, "Mul", less, d.intList(window.stride), DType::Int32);
    const Ints more{window.size[0] + cut.added[0], window.size[1] + cut.added[1]};
    const std::string sizes = steps::both(d, "AddV2", spread, d.intList(more), DType::Int32);
    const std::string whole = steps::concat(
        d, {steps::part(d, all, 0, 1, DType::Int32), sizes, d.intList({outputs})}, 0, DType::Int32);
    LiftDraft::Attrs attrs{typeAttr("T", DType::Float),
                           {"strides", attr::fromInts(OnnxWindow::inner(window.stride))},
                           {"padding", attr::fromString("VALID")},
                           {"dilations", attr::fromInts({1, 1, 1, 1})}};
    return d.step("Conv2DBackpropInput", {whole, filter, picture}, attrs);
}

std::string cutOff(LiftDraft& d, const std::string& made, const Cut& cut)
{
    std::int64_t open = 0b1001;
    Ints end{0, 0, 0, 0};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        end[axis + 1] = -cut.after[axis];
        open |= cut.after[axis] == 0 ? std::int64_t(1) << (axis + 1) : 0;
    }
    const std::string first = d.intList({0, cut.before[0], cut.before[1], 0});
    const std::string last = d.intList(end);
    const std::string pace = d.intList({1, 1, 1, 1});
    return d.step("StridedSlice", {made, first, last, pace},
                  {typeAttr("T", DType::Float),
                   typeAttr("Index", DType::Int32),
                   {"begin_mask", attr::fromInt(0b1001)},
                   {"end_mask", attr::fromInt(open)},
                   {"ellipsis_mask", attr::fromInt(0)},
                   {"new_axis_mask", attr::fromInt(0)},
                   {"shrink_axis_mask", attr::fromInt(0)}});
}

// The weights are [in, out / group, ...]. The whole result is computed, and the padding is cut off.
bool liftTransposeConv(LiftDraft& d)
{
    const auto weights = d.dims(1);
    const std::int64_t group = d.intAttr("group", 1);
    if (!weights || (weights->size() != 3 && weights->size() != 4) || group < 1 ||
        group > mostConvGroups || d.type(0) != DType::Float)
        return false;
    const auto given = windowOf(d, Ints(weights->begin() + 2, weights->end()));
    if (!given || given->axes() + 2 != weights->size())
        return false;
    const std::size_t axes = given->axes();
    OnnxWindow window = withTwoAxes(*given);
    const Ints dilation = window.dilation;
    const Ints taps{window.size[0], window.size[1], (*weights)[1], (*weights)[0]};
    for (std::size_t axis = 0; axis < 2; ++axis)
        window.size[axis] = window.reach(axis);
    window.dilation = {1, 1}; // replaced by zeros between the elements of the filter
    const auto cut = cutOf(d, window, axes);
    if (!cut)
        return false;
    const std::string picture = toPicture(d, d.in(0), axes, DType::Float);
    const std::string plane = axes == 1 ? steps::expandDims(d, d.in(1), DType::Float, 2) : d.in(1);
    std::string filter = transposed(d, plane, DType::Float, {2, 3, 1, 0});
    if (given->isDilated())
        filter = spreadFilter(d, filter, taps, dilation);
    if (filter.empty())
        return false;
    std::string made;
    if (group == 1) {
        made = wholeTransposed(d, picture, filter, (*weights)[1], window, *cut);
    } else {
        const auto pictures = equalParts(d, picture, 3, group);
        const auto filters = equalParts(d, filter, 3, group);
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < pictures.size(); ++i)
            parts.push_back(
                wholeTransposed(d, pictures[i], filters[i], (*weights)[1], window, *cut));
        made = steps::concat(d, std::move(parts), 3, DType::Float);
    }
    made = cutOff(d, made, *cut);
    if (d.has(2))
        made = d.step("BiasAdd", {made, d.in(2)}, floats());
    d.give({fromPicture(d, made, axes, DType::Float)});
    return true;
}

bool liftLrn(LiftDraft& d)
{
    const std::int64_t size = d.intAttr("size", 1);
    if (size % 2 == 0)
        return false;
    const std::string made =
        d.step("LRN", {channelsLast(d, d.in(0), DType::Float)},
               {typeAttr("T", DType::Float),
                {"depth_radius", attr::fromInt((size - 1) / 2)},
                {"alpha", attr::fromFloat(d.floatAttr("alpha", 1e-4F) / float(size))},
                {"beta", attr::fromFloat(d.floatAttr("beta", 0.75F))},
                {"bias", attr::fromFloat(d.floatAttr("bias", 1))}});
    d.give({channelsSecond(d, made, DType::Float)});
    return true;
}

// Handles depth in the order CRD: channels, then the position in a block.
bool liftShuffle(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const std::int64_t block = d.intAttr("blocksize", 1);
    if (!shape || shape->dims.size() != 4 || block < 1 || block > 1024 || shape->dims[1] < 1 ||
        shape->dims[2] < 1 || shape->dims[3] < 1)
        return false;
    const Ints& dims = shape->dims;
    if (dims[1] > mostOnnxSize || dims[2] > mostOnnxSize || dims[3] > mostOnnxSize)
        return false;
    const DType dtype = d.type(0);
    if (d.node().op() == "SpaceToDepth") {
        if (dims[2] % block != 0 || dims[3] % block != 0)
            return false;
        const std::int64_t height = dims[2] / block;
        const std::int64_t width = dims[3] / block;
        const std::string whole =
            reshaped(d, d.in(0), dtype, {-1, dims[1], height, block, width, block});
        const std::string split = transposed(d, whole, dtype, {0, 1, 3, 5, 2, 4});
        d.give({reshaped(d, split, dtype, {-1, dims[1] * block * block, height, width})});
        return true;
    }
    if (dims[1] % (block * block) != 0)
        return false;
    const std::int64_t channels = dims[1] / (block * block);
    const std::string parts =
        reshaped(d, d.in(0), dtype, {-1, channels, block, block, dims[2], dims[3]});
    const std::string turned = transposed(d, parts, dtype, {0, 1, 4, 2, 5, 3});
    d.give({reshaped(d, turned, dtype, {-1, channels, dims[2] * block, dims[3] * block})});
    return true;
}

bool liftDepthSpace(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    if (d.textAttr("mode") == "CRD")
        return liftShuffle(d);
    const DType dtype = d.type(0);
    const std::string made =
        d.step(op, {channelsLast(d, d.in(0), dtype)},
               {typeAttr("T", dtype), {"block_size", attr::fromInt(d.intAttr("blocksize", 1))}});
    d.give({channelsSecond(d, made, dtype)});
    return true;
}

constexpr std::array layers = std::to_array<OnnxLift>({
    {"Conv", liftConv},
    {"ConvTranspose", liftTransposeConv},
    {"DepthToSpace", liftDepthSpace},
    {"LRN", liftLrn},
    {"SpaceToDepth", liftDepthSpace},
    {"com.microsoft.FusedConv", liftFusedConv},
});

} // namespace

bool liftOnnxLayer(LiftDraft& draft)
{
    return liftFrom(layers, draft);
}

} // namespace lapidary
