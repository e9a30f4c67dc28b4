// SPDX-License-Identifier: Apache-2.0
// A convolution and the nodes after it as one primitive. Factors and offsets by channel are folded
// into the filter and a bias once, in double:  y = conv(x, w) * factor + offset
//                                                = conv(x, w * factor) + offset.
#include "runner/kernels/convolution/fused_convolution.h"

#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

struct Stages {
    std::vector<std::string_view> byChannel;
    bool hasSum = false;
    onednn::Activation activation = onednn::Activation::None;
    std::size_t inputs = 2; // number of inputs of the convolution and the stages
};

std::size_t inputsOf(std::string_view stage)
{
    return stage == fused_stages::norm ? 4 : 1;
}

Result<Stages> stagesOf(const KernelContext& context)
{
    Stages stages;
    std::string_view text = context.stringAttr("stages");
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const std::string_view name = text.substr(0, comma);
        text = text.substr(std::min(comma + 1, text.size()));
        if (name == fused_stages::relu || name == fused_stages::relu6) {
            stages.activation =
                name == fused_stages::relu ? onednn::Activation::Relu : onednn::Activation::Relu6;
            continue;
        }
        if (name == fused_stages::sum)
            stages.hasSum = true;
        else
            stages.byChannel.push_back(name);
        stages.inputs += inputsOf(name);
    }
    if (stages.inputs != context.inputCount())
        return context.error("must have " + std::to_string(stages.inputs) + " inputs, but has " +
                             std::to_string(context.inputCount()));
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        if (context.input(i).dtype() != DType::Float)
            return context.error("computes float only");
    return stages;
}

struct Affine {
    std::vector<double> factor;
    std::vector<double> offset;
};

void applyVector(Affine& affine, std::string_view stage, std::span<const float> vector)
{
    for (std::size_t c = 0; c < vector.size(); ++c) {
        if (stage == fused_stages::scale) {
            affine.factor[c] *= double(vector[c]);
            affine.offset[c] *= double(vector[c]);
        } else {
            affine.offset[c] +=
                stage == fused_stages::minus ? -double(vector[c]) : double(vector[c]);
        }
    }
}

void applyNorm(Affine& affine, const KernelContext& context, std::size_t first)
{
    const float epsilon = context.floatAttr("epsilon");
    const auto vector = [&](std::size_t i) { return context.input(first + i).as<float>(); };
    for (std::size_t c = 0; c < affine.factor.size(); ++c) {
        const double factor = double(1 / std::sqrt(vector(3)[c] + epsilon)) * double(vector(0)[c]);
        affine.factor[c] *= factor;
        affine.offset[c] =
            (affine.offset[c] - double(vector(2)[c])) * factor + double(vector(1)[c]);
    }
}

Result<Affine> affineOf(const KernelContext& context, const Stages& stages, std::int64_t channels)
{
    Affine affine{std::vector<double>(std::size_t(channels), 1.0),
                  std::vector<double>(std::size_t(channels), 0.0)};
    std::size_t at = 2;
    for (const std::string_view stage : stages.byChannel) {
        for (std::size_t i = 0; i < inputsOf(stage); ++i)
            if (context.input(at + i).elements() != channels)
                return context.error("input " + std::to_string(at + i) +
                                     " must have one element a channel, but is " +
                                     dimsText(context.input(at + i).dims()));
        if (stage == fused_stages::norm)
            applyNorm(affine, context, at);
        else
            applyVector(affine, stage, context.input(at).as<float>());
        at += inputsOf(stage);
    }
    return affine;
}

// The channels are the fastest axis of the filter, with or without a multiplier.
Result<Value> foldedFilter(KernelContext& context, const Affine& affine)
{
    const Value& filter = context.input(1);
    auto made = context.allocate(DType::Float, filter.dims());
    if (!made)
        return made;
    const auto channels = std::int64_t(affine.factor.size());
    const double* const factor = affine.factor.data();
    const char* const from = weightBytes(filter);
    float* const to = made->mutableAs<float>().data();
    const bool isPlain = std::ranges::all_of(affine.factor, [](double f) { return f == 1.0; });
    parallelFor(filter.elements() / channels, channels, [&](std::int64_t begin, std::int64_t end) {
        const std::size_t bytes = std::size_t(end - begin) * std::size_t(channels) * sizeof(float);
        std::memcpy(to + begin * channels, from + std::size_t(begin * channels) * sizeof(float),
                    bytes);
        for (std::int64_t row = begin; row < end && !isPlain; ++row)
            for (std::int64_t c = 0; c < channels; ++c)
                to[row * channels + c] = float(double(to[row * channels + c]) * factor[c]);
    });
    return made;
}

// Returns the tensor that the primitive adds to: the other operand of the sum, in place if it is
// not shared. Returns nothing set if its shape differs and it must be broadcast.
Result<Value> accumulator(KernelContext& context, const Stages& stages, const Dims& dims)
{
    const std::size_t at = stages.inputs - 1;
    if (!stages.hasSum)
        return context.allocate(DType::Float, dims);
    if (context.input(at).dims() != dims)
        return Value();
    Value other = context.takeInput(at);
    if (other.isSet())
        return other;
    auto copy = context.allocate(DType::Float, dims);
    if (!copy)
        return copy;
    const float* from = context.input(at).as<float>().data();
    float* to = copy->mutableAs<float>().data();
    parallelFor(copy->elements(), 1, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(to + begin, from + begin, std::size_t(end - begin) * sizeof(float));
    });
    return copy;
}

float activated(float value, onednn::Activation activation)
{
    if (activation == onednn::Activation::None)
        return value;
    const float positive = value < 0 ? 0 : value;
    return activation == onednn::Activation::Relu6 && positive > 6 ? 6 : positive;
}

// Adds a tensor that must be broadcast, which is rare.
Status addBroadcast(KernelContext& context, const Value& sums, const Value& other,
                    onednn::Activation activation)
{
    const auto broadcast = Broadcast::of(sums.dims(), other.dims());
    if (!broadcast)
        return Error{ErrorCode::InvalidArgument,
                     std::string(context.node().name()) + ": incompatible shapes: " +
                         dimsText(sums.dims()) + " and " + dimsText(other.dims())};
    auto z = context.makeOutput(0, DType::Float, broadcast->output);
    if (!z || z.value().elements() == 0)
        return z ? Status(Done{}) : z.error();
    const float* x = sums.as<float>().data();
    const float* y = other.as<float>().data();
    float* to = z.value().mutableAs<float>().data();
    eachRun(*broadcast, [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt,
                            const Broadcast::Axis& axis) {
        for (std::int64_t i = 0; i < axis.size; ++i)
            to[zAt + i] = activated(x[xAt + i * axis.xStep] + y[yAt + i * axis.yStep], activation);
    });
    return Done{};
}

// Fills in the results of empty sums: only the offsets remain.
void fillOffsets(Value& y, const Affine& affine, const onednn::Epilogue& epilogue)
{
    const auto out = y.mutableAs<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float before = epilogue.addToOutput ? out[i] : 0;
        out[i] =
            activated(before + float(affine.offset[i % affine.offset.size()]), epilogue.activation);
    }
}

Status compute(KernelContext& context, const Stages& stages, const Conv2dGeometry& geometry,
               const onednn::Epilogue& epilogue, Value& y)
{
    if (y.elements() == 0)
        return Done{};
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (x.elements() == 0 || filter.elements() == 0) {
        ASSIGN_OR_RETURN(const auto affine, affineOf(context, stages, geometry.outChannels));
        fillOffsets(y, affine, epilogue);
        return Done{};
    }
    const MakeWeights make = [&]() -> Result<WeightsAndBias> {
        ASSIGN_OR_RETURN(const auto affine, affineOf(context, stages, geometry.outChannels));
        ASSIGN_OR_RETURN(auto folded, foldedFilter(context, affine));
        const auto& offset = affine.offset;
        return WeightsAndBias{std::move(folded), {offset.begin(), offset.end()}};
    };
    const std::span<const Value> sources(&filter,
                                         context.inputCount() - 1 - (stages.hasSum ? 1 : 0));
    const Status status = context.state<PackedConvolutions>().run(
        context, {geometry.shape(), epilogue}, x.as<float>().data(), sources, make,
        y.mutableAs<float>().data());
    return status ? status : context.error(status.error().message);
}

Status runFusedConvolution(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto stages, stagesOf(context));
    ASSIGN_OR_RETURN(const auto geometry, context.stringAttr("conv") == "DepthwiseConv2dNative"
                                              ? depthwiseGeometry(context)
                                              : conv2dGeometry(context));
    const Conv2dGeometry& g = geometry;
    const Dims dims{g.batch, g.rows.output, g.columns.output, g.outChannels};
    auto y = accumulator(context, stages, dims);
    RETURN_IF_ERROR(y);
    const bool broadcasts = !y->isSet();
    if (broadcasts)
        y = context.allocate(DType::Float, dims);
    RETURN_IF_ERROR(y);
    onednn::Epilogue epilogue{
        .bias = true, .addToOutput = stages.hasSum, .activation = stages.activation};
    if (broadcasts) {
        epilogue.addToOutput = false;
        epilogue.activation = onednn::Activation::None;
    }
    RETURN_IF_ERROR(compute(context, stages, g, epilogue, *y));
    if (broadcasts)
        return addBroadcast(context, *y, context.input(stages.inputs - 1), stages.activation);
    return context.setOutput(0, *std::move(y));
}

} // namespace

LAPIDARY_KERNEL(_LapidaryConvolution, runFusedConvolution);

} // namespace lapidary
