// SPDX-License-Identifier: Apache-2.0
// Operators with weights, and pools: the layout of their weights differs from TensorFlow's.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lifted_convolutions.h"

#include <algorithm>

namespace lapidary {
namespace {

LiftDraft::Attrs windowAttrs(const LiftDraft& d)
{
    LiftDraft::Attrs attrs{typeAttr("T", DType::Float)};
    attrs.emplace_back("strides",
                       attr::fromInts({1, d.intAttr("stride_h", 1), d.intAttr("stride_w", 1), 1}));
    attrs.emplace_back("padding", attr::fromString(d.textAttr("padding")));
    return attrs;
}

LiftDraft::Attrs layerAttrs(const LiftDraft& d)
{
    LiftDraft::Attrs attrs = windowAttrs(d);
    attrs.emplace_back("dilations", attr::fromInts({1, d.intAttr("dilation_h_factor", 1),
                                                    d.intAttr("dilation_w_factor", 1), 1}));
    return attrs;
}

std::string withBias(LiftDraft& d, const std::string& made, std::size_t slot)
{
    if (!d.has(slot))
        return made;
    return d.step("BiasAdd", {made, d.in(slot)}, {typeAttr("T", DType::Float)});
}

// Returns the input. TFLite also quantizes floats before weights of 8 bits: each part of so many
// elements (0: each picture) gets its own scale.
std::string inputOf(LiftDraft& d, bool isSymmetric, std::int64_t part)
{
    const DType weights = d.state(1).dtype;
    const std::string x = d.in(0);
    if (d.coded() == CodedOperators::AsPairs || !d.inScales(1) || d.inScales(0) ||
        d.type(0) != DType::Float || (weights != DType::Int8 && weights != DType::UInt8))
        return x;
    return d.step("_Tflite_HYBRID_INPUT", {x},
                  {{"symmetric", attr::fromBool(isSymmetric)}, {"part", attr::fromInt(part)}});
}

std::int64_t groupsOf(const LiftDraft& d, const std::optional<LiftDraft::Ints>& weights)
{
    const auto x = d.shape(0);
    const bool isKnown = x && x->dims.size() == 4 && weights && weights->size() == 4 &&
                         x->dims[3] > 0 && (*weights)[3] > 0 && x->dims[3] % (*weights)[3] == 0;
    return isKnown ? x->dims[3] / (*weights)[3] : 1;
}

// The weights are [out, height, width, in / groups]; they are symmetric if all channels have one
// scale.
std::string liftConv(LiftDraft& d)
{
    const auto* scales = d.inScales(1);
    const auto dims = d.dims(1);
    const bool hasOwn =
        scales && dims && !dims->empty() && std::int64_t(scales->scales.size()) == dims->front();
    const std::string x = inputOf(d, !hasOwn, 0);
    const std::string weights = transposed(d, d.in(1), DType::Float, {1, 2, 3, 0});
    const std::string made = groupedConv(d, "Conv2D", x, weights, groupsOf(d, dims), layerAttrs(d));
    return made.empty() ? made : withBias(d, made, 2);
}

// The weights are [depth, height, width, in, out].
std::string liftConv3d(LiftDraft& d)
{
    if (d.type(0) != DType::Float || d.type(1) != DType::Float)
        return {};
    LiftDraft::Attrs attrs{typeAttr("T", DType::Float)};
    attrs.emplace_back("strides",
                       attr::fromInts({1, d.intAttr("stride_d", 1), d.intAttr("stride_h", 1),
                                       d.intAttr("stride_w", 1), 1}));
    attrs.emplace_back("dilations", attr::fromInts({1, d.intAttr("dilation_d_factor", 1),
                                                    d.intAttr("dilation_h_factor", 1),
                                                    d.intAttr("dilation_w_factor", 1), 1}));
    attrs.emplace_back("padding", attr::fromString(d.textAttr("padding")));
    return withBias(d, d.step("Conv3D", {d.in(0), d.in(1)}, std::move(attrs)), 2);
}

// The weights are [1, height, width, in * multiplier].
bool liftDepthwise(LiftDraft& d, std::string& made)
{
    const auto weights = d.dims(1);
    const std::int64_t multiplier = std::max<std::int64_t>(d.intAttr("depth_multiplier", 1), 1);
    if (!weights || weights->size() != 4)
        return false;
    const std::string x = inputOf(d, false, 0);
    const LiftDraft::Ints dims{(*weights)[1], (*weights)[2], (*weights)[3] / multiplier,
                               multiplier};
    const std::string filter = reshaped(d, d.in(1), DType::Float, dims);
    const DepthwiseWindow window{
        .filter = dims,
        .stride = {d.intAttr("stride_h", 1), d.intAttr("stride_w", 1)},
        .dilation = {d.intAttr("dilation_h_factor", 1), d.intAttr("dilation_w_factor", 1)},
        .isSame = d.textAttr("padding") == "SAME"};
    made = depthwiseConv(d, x, filter, window);
    if (made.empty())
        return false;
    made = withBias(d, made, 2);
    return true;
}

// The weights are [out, height, width, in].
std::string turnedConv(LiftDraft& d, const std::string& sizes, std::size_t x, std::size_t bias)
{
    const std::string weights = transposed(d, d.in(1), DType::Float, {1, 2, 0, 3});
    LiftDraft::Attrs attrs = windowAttrs(d);
    attrs.emplace_back("dilations", attr::fromInts({1, 1, 1, 1}));
    return withBias(d, d.step("Conv2DBackpropInput", {sizes, weights, d.in(x)}, attrs), bias);
}

// Inputs: sizes, weights, x, bias.
std::string liftTransposeConv(LiftDraft& d)
{
    return turnedConv(d, d.in(0), 2, 3);
}

// MediaPipe's inputs are x, weights, bias. The sizes are only known from the shape of the output.
std::string liftBiasedTransposeConv(LiftDraft& d)
{
    const auto sizes = d.outDims();
    return sizes && d.type(0) == DType::Float ? turnedConv(d, d.intList(*sizes), 0, 2)
                                              : std::string();
}

// The weights are [out, in]; x is flattened to rows.
bool liftFullyConnected(LiftDraft& d, std::string& made)
{
    const auto weights = d.dims(1);
    const auto output = d.outShape();
    if (!weights || weights->size() != 2)
        return false;
    const bool isAsymmetric = d.node().attr("asymmetric_quantize_inputs").asBool().value_or(false);
    const std::string x = inputOf(d, !isAsymmetric, (*weights)[1]);
    const std::string rows = reshaped(d, x, DType::Float, {-1, (*weights)[1]});
    made = d.step("MatMul", {rows, d.in(1)},
                  {typeAttr("T", DType::Float),
                   {"transpose_a", attr::fromBool(false)},
                   {"transpose_b", attr::fromBool(true)}});
    made = withBias(d, made, 2);
    if (output && output->dims.size() != 2 &&
        std::ranges::count_if(output->dims, [](std::int64_t dim) { return dim < 0; }) <= 1)
        made = reshaped(d, made, DType::Float, output->dims);
    return true;
}

std::string liftPool(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    LiftDraft::Attrs attrs = windowAttrs(d);
    attrs.emplace_back("ksize", attr::fromInts({1, d.intAttr("filter_height", 1),
                                                d.intAttr("filter_width", 1), 1}));
    if (op != "L2_POOL_2D")
        return d.step(op == "MAX_POOL_2D" ? "MaxPool" : "AvgPool", {d.in(0)}, attrs);
    const std::string squares = d.step("Square", {d.in(0)}, floats());
    return d.step("Sqrt", {d.step("AvgPool", {squares}, attrs)}, floats());
}

} // namespace

bool liftTfliteLayer(LiftDraft& d, std::string& made)
{
    const std::string_view op = d.node().op();
    if (op == "DEPTHWISE_CONV_2D")
        return liftDepthwise(d, made);
    if (op == "FULLY_CONNECTED")
        return liftFullyConnected(d, made);
    if (op == "CONV_2D")
        made = liftConv(d);
    else if (op == "CONV_3D")
        made = liftConv3d(d);
    else if (op == "TRANSPOSE_CONV")
        made = liftTransposeConv(d);
    else if (op == "Convolution2DTransposeBias")
        made = liftBiasedTransposeConv(d);
    else if (op == "MAX_POOL_2D" || op == "AVERAGE_POOL_2D" || op == "L2_POOL_2D")
        made = liftPool(d);
    return !made.empty();
}

} // namespace lapidary
