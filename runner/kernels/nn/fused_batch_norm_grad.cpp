// SPDX-License-Identifier: Apache-2.0
// FusedBatchNormGrad, V2, V3: the gradients of FusedBatchNorm, by channel, where r is
// rsqrt(variance + epsilon) and m the mean over rows:
//   offset_backprop = sum(dy),   scale_backprop = sum(dy (x - mean)) r
//   x_backprop = scale r (dy - m(dy) - (x - mean) m(dy (x - mean)) r r)
// Given statistics (is_training = false) do not depend on x: x_backprop = scale r dy. Outputs 3 and
// 4 are for the statistics and are 0. Sums are double.
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/channel_sums.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace lapidary {
namespace {

constexpr std::array<const char*, 3> backNames{"scale", "reserve_space_1", "reserve_space_2"};

Status checkNormGrad(const KernelContext& context)
{
    const Value& x = context.input(1);
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("normalizes NHWC data only");
    if (context.input(0).dims() != x.dims())
        return context.error("y_backprop and x must have one shape, but are " +
                             dimsText(context.input(0).dims()) + " and " + dimsText(x.dims()));
    if (x.dim(3) == 0)
        return context.error("the input has no channels");
    for (std::size_t i = 0; i < backNames.size(); ++i)
        if (context.input(i + 2).dim(0) != x.dim(3))
            return context.error(std::string(backNames[i]) + " must have " +
                                 std::to_string(x.dim(3)) + " elements, but has " +
                                 std::to_string(context.input(i + 2).dim(0)));
    return Done{};
}

// x_backprop = factor (dy - shift - (x - mean) slope), by channel.
struct ChannelGrad {
    std::vector<double> factor;
    std::vector<double> shift;
    std::vector<double> slope;
};

template <class T>
Status sendBack(KernelContext& context, const ChannelGrad& by)
{
    const Value& x = context.input(1);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    const auto channels = std::size_t(x.dim(3));
    const auto mean = context.input(3).as<float>();
    const T* back = context.input(0).as<T>().data();
    const T* from = x.as<T>().data();
    T* to = made.template mutableAs<T>().data();
    parallelFor(x.elements() / x.dim(3), x.dim(3), [&](std::int64_t begin, std::int64_t end) {
        for (auto row = std::size_t(begin); row < std::size_t(end); ++row)
            for (std::size_t c = 0; c < channels; ++c) {
                const std::size_t at = row * channels + c;
                const double distance = double(wide(from[at])) - double(mean[c]);
                to[at] = T(float(by.factor[c] *
                                 (double(wide(back[at])) - by.shift[c] - distance * by.slope[c])));
            }
    });
    return Done{};
}

Status setSums(KernelContext& context, std::size_t output, const std::vector<double>& sums)
{
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(output, DType::Float, {std::int64_t(sums.size())}));
    std::ranges::transform(sums, made.mutableAs<float>().begin(),
                           [](double sum) { return float(sum); });
    return Done{};
}

template <class T>
Status runGradAs(KernelContext& context)
{
    const Value& x = context.input(1);
    const auto channels = std::size_t(x.dim(3));
    const auto dy = context.input(0).as<T>();
    const auto data = x.as<T>();
    const auto mean = context.input(3).as<float>();
    const double epsilon = double(context.floatAttr("epsilon", 0.0001F));
    const std::vector<double> sums =
        sumsByChannel(dy, channels, [](double back, std::size_t, std::size_t) { return back; });
    const std::vector<double> products =
        sumsByChannel(dy, channels, [&](double back, std::size_t channel, std::size_t at) {
            return back * (double(wide(data[at])) - double(mean[channel]));
        });
    const bool training = context.boolAttr("is_training", true);
    const double rows = std::max(double(x.elements()) / double(channels), 1.0);
    ChannelGrad by;
    std::vector<double> scales;
    for (std::size_t c = 0; c < channels; ++c) {
        const double r = 1 / std::sqrt(double(context.input(4).as<float>()[c]) + epsilon);
        scales.push_back(products[c] * r);
        by.factor.push_back(double(context.input(2).as<float>()[c]) * r);
        by.shift.push_back(training ? sums[c] / rows : 0);
        by.slope.push_back(training ? products[c] / rows * r * r : 0);
    }
    RETURN_IF_ERROR(sendBack<T>(context, by));
    RETURN_IF_ERROR(setSums(context, 1, scales));
    return setSums(context, 2, sums);
}

Status runFusedBatchNormGrad(KernelContext& context)
{
    RETURN_IF_ERROR(checkNormGrad(context));
    for (std::size_t i = 3; i < 5; ++i) {
        ASSIGN_OR_RETURN(auto nothing, context.makeOutput(i, DType::Float, {}));
        nothing.mutableAs<float>()[0] = 0;
    }
    return context.input(1).dtype() == DType::Half ? runGradAs<Half>(context)
                                                   : runGradAs<float>(context);
}

} // namespace

LAPIDARY_KERNEL(FusedBatchNormGrad, runFusedBatchNormGrad,
                .ranks = {Rank::Four, Rank::Four, Rank::Vector, Rank::Vector, Rank::Vector});
LAPIDARY_KERNEL(FusedBatchNormGradV2, runFusedBatchNormGrad,
                .ranks = {Rank::Four, Rank::Four, Rank::Vector, Rank::Vector, Rank::Vector});
LAPIDARY_KERNEL(FusedBatchNormGradV3, runFusedBatchNormGrad,
                .ranks = {Rank::Four, Rank::Four, Rank::Vector, Rank::Vector, Rank::Vector});

} // namespace lapidary
