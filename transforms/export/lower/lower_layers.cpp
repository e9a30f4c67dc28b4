// SPDX-License-Identifier: Apache-2.0
// Convolutions, products, pools and normalizations.
#include "graph_model/graph/dilated_depthwise.h"
#include "transforms/export/lower/coded_constants.h"
#include "transforms/export/lower/lower_steps.h"

#include <array>
#include <cmath>

namespace lapidary {
namespace {

Status needNhwc(const LowerNode& n)
{
    if (n.textAttr("data_format", "NHWC") != "NHWC")
        return unsuited("it works on channels-first pictures (" +
                        std::string(n.textAttr("data_format", "")) +
                        "), which is not exported; rebuild the graph with NHWC");
    return Done{};
}

// Reads strides, dilation and padding of a window over pictures.
Status readWindow(const LowerNode& n, PortableParameters& p)
{
    RETURN_IF_ERROR(needNhwc(n));
    const auto strides = n.listAttr("strides");
    if (strides.size() != 4 || strides[0] != 1 || strides[3] != 1)
        return unsuited("it strides over the batch or the channels");
    p.stride = {strides[1], strides[2]};
    if (const auto dilations = n.listAttr("dilations");
        dilations.size() == 4 && countsDilation(n.node()))
        p.dilation = {dilations[1], dilations[2]};
    const std::string_view padding = n.textAttr("padding", "VALID");
    p.padding = padding == "SAME"    ? PortablePadding::Same
                : padding == "VALID" ? PortablePadding::Valid
                                     : PortablePadding::Explicit;
    if (p.padding == PortablePadding::Explicit) {
        const auto pads = n.listAttr("explicit_paddings");
        if (pads.size() != 8)
            return unsuited("its explicit_paddings are not 8 numbers");
        p.pads = {pads[2], pads[4], pads[3], pads[5]};
    }
    return Done{};
}

Status lowerConv(LowerNode& n, PortableKind kind)
{
    PortableParameters p;
    RETURN_IF_ERROR(readWindow(n, p));
    RETURN_IF_ERROR(needFloat(n));
    if (n.rank(0) != 4 || n.rank(1) != 4)
        return unsuited("its input and weights are not of rank 4");
    n.emit(kind, {n.input(0), n.input(1), noTensor}).parameters = p;
    return Done{};
}

// Checks grouped convolutions: filters that read a part of the channels have to form groups of
// equal size.
Status needWholeGroups(LowerNode& n)
{
    if (n.rank(0) != 4 || n.rank(1) != 4)
        return Done{};
    const std::int64_t channels = n.dims(0)[3];
    const std::int64_t taken = n.dims(1)[2];
    const std::int64_t filters = n.dims(1)[3];
    if (channels < 0 || taken < 0 || filters < 0 || channels == taken)
        return Done{};
    if (taken > 0 && channels > 0 && channels % taken == 0 && filters % (channels / taken) == 0)
        return Done{};
    return unsuited("its input has " + std::to_string(channels) + " channels, and its " +
                    std::to_string(filters) + " filters take " + std::to_string(taken) +
                    "; give the input as many channels as they take");
}

Status conv2d(LowerNode& n)
{
    RETURN_IF_ERROR(needWholeGroups(n));
    return lowerConv(n, PortableKind::Conv2D);
}

Status depthwise(LowerNode& n)
{
    return lowerConv(n, PortableKind::DepthwiseConv2D);
}

Status transposeConv(LowerNode& n)
{
    PortableParameters p;
    RETURN_IF_ERROR(readWindow(n, p));
    RETURN_IF_ERROR(needFloat(n));
    n.emit(PortableKind::TransposeConv, {n.input(2), n.input(1), noTensor}).parameters = p;
    return Done{};
}

Status conv3d(LowerNode& n)
{
    if (n.textAttr("data_format", "NDHWC") != "NDHWC")
        return unsuited("it works on channels-first volumes (" +
                        std::string(n.textAttr("data_format", "")) +
                        "), which is not exported; rebuild the graph with NDHWC");
    RETURN_IF_ERROR(needFloat(n));
    const auto strides = n.listAttr("strides");
    auto dilations = n.listAttr("dilations");
    if (dilations.empty())
        dilations.assign(5, 1);
    if (n.rank(0) != 5 || n.rank(1) != 5 || strides.size() != 5 || dilations.size() != 5)
        return unsuited("its input, weights and strides are not of 5 axes");
    if (strides[0] != 1 || strides[4] != 1 || dilations[0] != 1 || dilations[4] != 1)
        return unsuited("it strides over the batch or the channels");
    if (n.dims(0)[4] != n.dims(1)[3])
        return unsuited("its weights take another number of channels than its input has");
    PortableParameters p;
    p.step.assign(strides.begin() + 1, strides.end() - 1);
    p.sizes.assign(dilations.begin() + 1, dilations.end() - 1);
    p.padding =
        n.textAttr("padding", "VALID") == "SAME" ? PortablePadding::Same : PortablePadding::Valid;
    n.emit(PortableKind::Conv3D, {n.input(0), n.input(1)}).parameters = p;
    return Done{};
}

Status batchMatMul(LowerNode& n, bool x, bool y)
{
    PortableOperation& op = n.emit(PortableKind::BatchMatMul, {n.input(0), n.input(1)});
    op.parameters.adjointX = x;
    op.parameters.adjointY = y;
    return Done{};
}

Status matMul(LowerNode& n)
{
    RETURN_IF_ERROR(n.needReal());
    const bool turnsX = n.boolAttr("transpose_a", false);
    const bool turnsY = n.boolAttr("transpose_b", false);
    if (!n.isConstant(1) || n.isConstant(0) || turnsX || n.outputType() != DType::Float)
        return batchMatMul(n, turnsX, turnsY);
    const auto weights = turnsY ? turnedConstant(n, n.input(1), {1, 0}) : n.input(1);
    if (!weights)
        return unsuited("its weights are not of rank 2");
    n.emit(PortableKind::FullyConnected, {n.input(0), *weights, noTensor});
    return Done{};
}

Status batchProduct(LowerNode& n)
{
    RETURN_IF_ERROR(n.needReal());
    return batchMatMul(n, n.boolAttr("adj_x", false), n.boolAttr("adj_y", false));
}

Status biasAdd(LowerNode& n)
{
    RETURN_IF_ERROR(needNhwc(n));
    n.emit(PortableKind::Add, {n.input(0), n.input(1)});
    return Done{};
}

Status pool(LowerNode& n, PortableKind kind)
{
    PortableParameters p;
    RETURN_IF_ERROR(readWindow(n, p));
    RETURN_IF_ERROR(needFloat(n));
    const auto window = n.listAttr("ksize");
    if (window.size() != 4 || window[0] != 1 || window[3] != 1)
        return unsuited("its window is over the batch or the channels");
    p.window = {window[1], window[2]};
    n.emit(kind, {n.input(0)}).parameters = p;
    return Done{};
}

Status maxPool(LowerNode& n)
{
    return pool(n, PortableKind::MaxPool);
}

Status maxPoolWithPlaces(LowerNode& n)
{
    if (n.isRead(1))
        return unsuited("the indices of the maxima are read, which no pooling operator of the "
                        "file outputs");
    return pool(n, PortableKind::MaxPool);
}

Status averagePool(LowerNode& n)
{
    return pool(n, PortableKind::AveragePool);
}

Status lrn(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    PortableOperation& op = n.emit(PortableKind::Lrn, {n.input(0)});
    op.parameters.radius = n.intAttr("depth_radius", 5);
    op.parameters.bias = n.floatAttr("bias", 1);
    op.parameters.alpha = n.floatAttr("alpha", 1);
    op.parameters.beta = n.floatAttr("beta", 0.5F);
    return Done{};
}

// Computes one factor and one addend for each channel, in double precision until they are stored.
Status constantNorm(LowerNode& n, const std::array<std::vector<float>, 4>& vectors, double epsilon)
{
    const auto& [scale, offset, mean, variance] = vectors;
    std::vector<float> factors(mean.size());
    std::vector<float> addends(mean.size());
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const double factor =
            (scale.empty() ? 1.0 : double(scale[i])) / std::sqrt(double(variance[i]) + epsilon);
        factors[i] = float(factor);
        addends[i] = float(double(offset[i]) - double(mean[i]) * factor);
    }
    const std::vector<std::int64_t> dims{std::int64_t(mean.size())};
    const TensorIndex s = n.constant("scale", dims, factors);
    const TensorIndex t = n.constant("offset", dims, addends);
    n.emit(PortableKind::ChannelAffine, {n.input(0), s, t});
    return Done{};
}

// Computes with the mean and variance of the batch itself, as the graph asks.
Status trainingNorm(LowerNode& n, float epsilon)
{
    if (n.isRead(1) || n.isRead(2) || n.isRead(3) || n.isRead(4))
        return unsuited("its batch statistics are read, which only training needs");
    const auto dims = n.dims(0);
    const std::vector<std::int64_t> ones{1, 1, 1, dims[3]};
    const auto mean = [&](std::string_view name, TensorIndex of) {
        const TensorIndex made = n.between(name, DType::Float, ones);
        PortableOperation& op = n.emit(PortableKind::ReduceMean, {of}, {made});
        op.parameters.axes = {0, 1, 2};
        op.parameters.keepsAxes = true;
        return made;
    };
    const auto step = [&](std::string_view name, PortableKind kind, std::vector<TensorIndex> inputs,
                          const std::vector<std::int64_t>& size) {
        const TensorIndex made = n.between(name, DType::Float, size);
        n.emit(kind, std::move(inputs), {made});
        return made;
    };
    const TensorIndex centered =
        step("centered", PortableKind::Sub, {n.input(0), mean("mean", n.input(0))}, dims);
    const TensorIndex squares = step("squares", PortableKind::Mul, {centered, centered}, dims);
    const TensorIndex shifted =
        step("shifted", PortableKind::Add,
             {mean("variance", squares), n.constant("epsilon", {}, {epsilon})}, ones);
    const TensorIndex inverse = step("inverse", PortableKind::Rsqrt, {shifted}, ones);
    const TensorIndex factor = step("factor", PortableKind::Mul, {inverse, n.input(1)}, ones);
    const TensorIndex scaled = step("scaled", PortableKind::Mul, {centered, factor}, dims);
    n.emit(PortableKind::Add, {scaled, n.input(2)});
    n.note(std::string(n.node().name()) +
           " is a batch normalization in training mode: results depend on what else is in the "
           "batch");
    return Done{};
}

// Computes, if the statistics are not constant, (x - mean) * (rsqrt(variance + epsilon) * scale) +
// offset.
Status computedNorm(LowerNode& n, float epsilon)
{
    const auto dims = n.dims(0);
    const std::vector<std::int64_t> channels{dims.back()};
    const auto step = [&](std::string_view name, PortableKind kind, std::vector<TensorIndex> inputs,
                          const std::vector<std::int64_t>& size) {
        const TensorIndex made = n.between(name, DType::Float, size);
        n.emit(kind, std::move(inputs), {made});
        return made;
    };
    const TensorIndex shifted = step("shifted", PortableKind::Add,
                                     {n.input(4), n.constant("epsilon", {}, {epsilon})}, channels);
    const TensorIndex inverse = step("inverse", PortableKind::Rsqrt, {shifted}, channels);
    const TensorIndex factor = step("factor", PortableKind::Mul, {inverse, n.input(1)}, channels);
    const TensorIndex centered =
        step("centered", PortableKind::Sub, {n.input(0), n.input(3)}, dims);
    const TensorIndex scaled = step("scaled", PortableKind::Mul, {centered, factor}, dims);
    n.emit(PortableKind::Add, {scaled, n.input(2)});
    return Done{};
}

Status fusedBatchNorm(LowerNode& n)
{
    RETURN_IF_ERROR(needNhwc(n));
    RETURN_IF_ERROR(needFloat(n));
    const float epsilon = n.floatAttr("epsilon", 0.0001F);
    if (n.rank(0) != 4)
        return unsuited("its input is not of rank 4");
    if (n.boolAttr("is_training", true))
        return trainingNorm(n, epsilon);
    if (n.isRead(1) || n.isRead(2) || n.isRead(3) || n.isRead(4))
        return unsuited("its batch statistics are read, which only training needs");
    std::array<std::vector<float>, 4> vectors;
    for (std::size_t i = 0; i < 4; ++i) {
        if (!n.isConstant(i + 1))
            return computedNorm(n, epsilon);
        ASSIGN_OR_RETURN(vectors[i], n.floats(i + 1, "statistics"));
    }
    return constantNorm(n, vectors, double(epsilon));
}

// Inputs: x, mean, variance, beta, gamma.
Status oldBatchNorm(LowerNode& n)
{
    ASSIGN_OR_RETURN(const auto mean, n.floats(1, "mean"));
    ASSIGN_OR_RETURN(const auto variance, n.floats(2, "variance"));
    ASSIGN_OR_RETURN(const auto offset, n.floats(3, "offset"));
    std::vector<float> scale;
    if (n.boolAttr("scale_after_normalization", false)) {
        ASSIGN_OR_RETURN(scale, n.floats(4, "scale"));
    }
    return constantNorm(n, {scale, offset, mean, variance},
                        double(n.floatAttr("variance_epsilon", 0.001F)));
}

Status softmaxOf(LowerNode& n, PortableKind kind)
{
    RETURN_IF_ERROR(n.needReal());
    n.emit(kind, {n.input(0)});
    return Done{};
}

Status softmax(LowerNode& n)
{
    return softmaxOf(n, PortableKind::Softmax);
}

Status logSoftmax(LowerNode& n)
{
    return softmaxOf(n, PortableKind::LogSoftmax);
}

constexpr std::string_view nhwc = "channels last, float";
constexpr std::string_view pooled = "channels last, window over height and width, float";
constexpr std::string_view norm = "channels last; in training mode exported as single operations";

constexpr std::array layerRows{
    LowerRow{"AvgPool", averagePool, "AveragePool", pooled},
    LowerRow{"BatchMatMul", batchProduct, "BatchMatMul", "float"},
    LowerRow{"BatchMatMulV2", batchProduct, "BatchMatMul", "float"},
    LowerRow{"BatchNormWithGlobalNormalization", oldBatchNorm, "ChannelAffine",
             "constant statistics"},
    LowerRow{"BiasAdd", biasAdd, "Add", "channels last"},
    LowerRow{"BiasAddV1", biasAdd, "Add"},
    LowerRow{"Conv2D", conv2d, "Conv2D", nhwc},
    LowerRow{"Conv2DBackpropInput", transposeConv, "TransposeConv", nhwc},
    LowerRow{"Conv3D", conv3d, "Conv3D", nhwc},
    LowerRow{"DepthwiseConv2dNative", depthwise, "DepthwiseConv2D", nhwc},
    LowerRow{"FusedBatchNorm", fusedBatchNorm, "ChannelAffine", norm},
    LowerRow{"FusedBatchNormV2", fusedBatchNorm, "ChannelAffine", norm},
    LowerRow{"FusedBatchNormV3", fusedBatchNorm, "ChannelAffine", norm},
    LowerRow{"LRN", lrn, "Lrn", "float"},
    LowerRow{"LogSoftmax", logSoftmax, "LogSoftmax", "float"},
    LowerRow{"MatMul", matMul, "FullyConnected", "float"},
    LowerRow{"MaxPool", maxPool, "MaxPool", pooled},
    LowerRow{"MaxPoolWithArgmax", maxPoolWithPlaces, "MaxPool",
             "indices that no node reads, float"},
    LowerRow{"Softmax", softmax, "Softmax", "float"},
};

} // namespace

std::span<const LowerRow> lowerLayerRows()
{
    return layerRows;
}

} // namespace lapidary
