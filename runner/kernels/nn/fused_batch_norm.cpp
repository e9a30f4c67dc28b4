// SPDX-License-Identifier: Apache-2.0
// FusedBatchNorm, V2, V3: y = (x - mean) * rsqrt(variance + epsilon) * scale + offset by channel,
// with given statistics or those of the batch (spec: kernels, A4.1). Outputs 1 to 4 of the
// inference case are the given statistics. Computes in float; half is rounded once. Version 3 takes
// volumes too, as TensorFlow does from 2.5 on.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/channel_sums.h"
#include "runner/kernels/wide_loop.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::array<const char*, 4> vectorNames{"scale", "offset", "mean", "variance"};

Status checkNormShapes(const KernelContext& context, bool training)
{
    const Value& x = context.input(0);
    const std::string_view format = context.stringAttr("data_format", "NHWC");
    const bool isVolume = format == "NDHWC" && context.node().op() == "FusedBatchNormV3";
    if (format != "NHWC" && !isVolume)
        return context.error("normalizes NHWC data only");
    if (const int rank = isVolume ? 5 : 4; x.rank() != rank)
        return context.error("the input must be " + std::to_string(rank) + "-dimensional, but is " +
                             dimsText(x.dims()));
    if (x.dims().back() == 0)
        return context.error("the input has no channels");
    for (std::size_t i = 0; i < vectorNames.size(); ++i) {
        const Value& vector = context.input(i + 1);
        if (!vector.isVector())
            return context.error(std::string(vectorNames[i]) + " must be a vector, but is " +
                                 dimsText(vector.dims()));
        const std::int64_t wanted = training && i >= 2 ? 0 : x.dims().back();
        if (vector.dim(0) != wanted)
            return context.error(std::string(vectorNames[i]) + " must have " +
                                 std::to_string(wanted) + " elements, but has " +
                                 std::to_string(vector.dim(0)));
    }
    return Done{};
}

struct Statistics {
    std::vector<float> mean;
    std::vector<float> variance; // biased
};

template <class T>
Statistics statisticsOf(std::span<const T> x, std::size_t channels)
{
    const std::size_t count = x.size() / channels;
    const auto rows = double(count);
    std::vector<double> means = sumsByChannel(
        x, channels, [](double element, std::size_t, std::size_t) { return element; });
    for (double& mean : means)
        mean /= rows;
    const double* const mean = means.data();
    const std::vector<double> squares =
        sumsByChannel(x, channels, [mean](double element, std::size_t channel, std::size_t) {
            const double distance = element - mean[channel];
            return distance * distance;
        });
    Statistics out;
    for (std::size_t c = 0; c < channels; ++c) {
        out.mean.push_back(float(means[c]));
        out.variance.push_back(float(squares[c] / rows));
    }
    return out;
}

struct Normal {
    const float* mean = nullptr;
    const float* factor = nullptr;
    const float* offset = nullptr;
    std::int64_t channels = 0;
};

// x and y are the same array or do not overlap.
template <class T>
void normalize(const T* x, T* y, std::int64_t elements, const Normal& by)
{
    const auto one = [&by](T element, std::int64_t c) {
        return T((float(element) - by.mean[c]) * by.factor[c] + by.offset[c]);
    };
    const std::int64_t channels = by.channels;
    parallelFor(elements / channels, channels / 2, [&](std::int64_t begin, std::int64_t end) {
        wideLoop([&] {
            for (std::int64_t at = begin * channels; at < end * channels; at += channels)
                if (x == y)
                    for (std::int64_t c = 0; c < channels; ++c)
                        y[at + c] = one(y[at + c], c);
                else
                    for (std::int64_t c = 0; c < channels; ++c)
                        y[at + c] = one(x[at + c], c);
        });
    });
}

// Sets the outputs for the statistics, which are NaN for an empty batch.
Status setStatistics(KernelContext& context, const Statistics& statistics, double rows,
                     bool training)
{
    const auto channels = std::int64_t(statistics.mean.size());
    const double bessel = training ? rows / std::max(rows - 1, 1.0) : 1;
    for (std::size_t i = 1; i < 5; ++i) {
        ASSIGN_OR_RETURN(auto out, context.makeOutput(i, DType::Float, {channels}));
        const auto& source = i % 2 == 1 ? statistics.mean : statistics.variance;
        const double factor = i == 2 ? bessel : 1;
        std::ranges::transform(source, out.mutableAs<float>().begin(),
                               [factor](float v) { return float(v * factor); });
    }
    if (context.outputCount() < 6)
        return Done{};
    auto reserve = context.makeOutput(5, DType::Float, {});
    if (reserve)
        reserve->mutableAs<float>()[0] = 0;
    return reserve ? Status(Done{}) : reserve.error();
}

template <class T>
Status runAs(KernelContext& context, bool training)
{
    Value y = context.takeInput(0);
    const Value x = y.isSet() ? y : context.input(0);
    const auto channels = std::size_t(x.dims().back());
    Statistics statistics;
    if (training) {
        statistics = statisticsOf(x.as<T>(), channels);
    } else {
        statistics.mean.assign(context.input(3).as<float>().begin(),
                               context.input(3).as<float>().end());
        statistics.variance.assign(context.input(4).as<float>().begin(),
                                   context.input(4).as<float>().end());
    }
    const float epsilon = context.floatAttr("epsilon", 0.0001F);
    std::vector<float> factor(channels);
    for (std::size_t c = 0; c < channels; ++c)
        factor[c] =
            1 / std::sqrt(statistics.variance[c] + epsilon) * context.input(1).as<float>()[c];
    if (!y.isSet()) {
        ASSIGN_OR_RETURN(auto made, context.allocate(x.dtype(), x.dims()));
        y = std::move(made);
    }
    normalize(x.as<T>().data(), y.template mutableAs<T>().data(), x.elements(),
              {.mean = statistics.mean.data(),
               .factor = factor.data(),
               .offset = context.input(2).as<float>().data(),
               .channels = x.dims().back()});
    RETURN_IF_ERROR(context.setOutput(0, std::move(y)));
    return setStatistics(context, statistics, double(x.elements()) / double(channels), training);
}

Status runFusedBatchNorm(KernelContext& context)
{
    const bool training = context.boolAttr("is_training", true);
    RETURN_IF_ERROR(checkNormShapes(context, training));
    return context.input(0).dtype() == DType::Half ? runAs<Half>(context, training)
                                                   : runAs<float>(context, training);
}

} // namespace

LAPIDARY_KERNEL(FusedBatchNorm, runFusedBatchNorm);
LAPIDARY_KERNEL(FusedBatchNormV2, runFusedBatchNorm);
LAPIDARY_KERNEL(FusedBatchNormV3, runFusedBatchNorm);

} // namespace lapidary
