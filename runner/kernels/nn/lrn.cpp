// SPDX-License-Identifier: Apache-2.0
// LRN: y[d] = x[d] * (bias + alpha * sum of x[k]^2 over |k - d| <= radius)^-beta along the channels
// (spec: kernels, A7.3). Half computes in float. LRNGrad, with the factor f of each y:
//   dx[k] = sum over |d - k| <= radius of (-2 alpha beta x[k] y[d] / norm[d] + (d == k) f[d]) dy[d]
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lapidary {
namespace {

struct Response {
    std::int64_t radius = 5;
    float bias = 1;
    float alpha = 1;
    float beta = 0.5F;

    float factor(float squares) const
    {
        const float norm = bias + alpha * squares;
        if (beta == 1)
            return 1 / norm;
        if (beta == 0.5F)
            return 1 / std::sqrt(norm);
        return std::exp(-beta * std::log(norm));
    }
};

// The channels [begin, end) whose sum divides one channel.
struct Neighbors {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

Neighbors neighborsOf(const Response& response, std::int64_t channel, std::int64_t channels)
{
    return {std::max<std::int64_t>(channel - response.radius, 0),
            std::min(channel + response.radius + 1, channels)};
}

template <class T>
float squaresOf(const T* x, const Neighbors& near)
{
    float squares = 0;
    for (std::int64_t k = near.begin; k < near.end; ++k)
        squares += float(x[k]) * float(x[k]);
    return squares;
}

template <class T>
void respond(const Response& response, const T* x, T* y, std::int64_t channels)
{
    for (std::int64_t d = 0; d < channels; ++d) {
        const Neighbors near = neighborsOf(response, d, channels);
        y[d] = T(float(x[d]) * response.factor(squaresOf(x, near)));
    }
}

template <class T>
void respondBack(const Response& response, const T* dy, const T* x, const T* y, T* dx,
                 std::int64_t channels)
{
    std::vector<float> sums(std::size_t(channels), 0.0F);
    for (std::int64_t d = 0; d < channels; ++d) {
        const Neighbors near = neighborsOf(response, d, channels);
        const float norm = squaresOf(x, near) * response.alpha + response.bias;
        const float factor = std::pow(norm, -response.beta);
        for (std::int64_t k = near.begin; k < near.end; ++k) {
            float slope = -2 * response.alpha * response.beta * float(x[k]) * float(y[d]) / norm;
            slope += k == d ? factor : 0;
            sums[std::size_t(k)] += slope * float(dy[d]);
        }
    }
    std::ranges::transform(sums, dx, [](float sum) { return T(sum); });
}

Result<Response> responseOf(const KernelContext& context, const Value& x)
{
    if (x.rank() != 4)
        return context.error("the input must be 4-dimensional, but is " + dimsText(x.dims()));
    Response response{.radius = context.intAttr("depth_radius", 5),
                      .bias = context.floatAttr("bias", 1),
                      .alpha = context.floatAttr("alpha", 1),
                      .beta = context.floatAttr("beta", 0.5F)};
    if (response.radius < 0)
        return context.error("depth_radius must not be negative");
    response.radius = std::min(response.radius, x.dim(3));
    return response;
}

Status runLRNGrad(KernelContext& context)
{
    const Value& dy = context.input(0);
    ASSIGN_OR_RETURN(const auto response, responseOf(context, dy));
    for (std::size_t i = 1; i < 3; ++i)
        if (context.input(i).dims() != dy.dims())
            return context.error("its inputs must have one shape, but are " + dimsText(dy.dims()) +
                                 " and " + dimsText(context.input(i).dims()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dy.dtype(), dy.dims()));
    if (made.elements() == 0)
        return Done{};
    const std::int64_t channels = dy.dim(3);
    const bool known = dispatch(TypeList<float, Half>(), dy.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto at = [&](std::size_t i) { return context.input(i).as<T>().data(); };
        T* to = made.template mutableAs<T>().data();
        parallelFor(
            dy.elements() / channels, channels * 40, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin * channels;
                     i < end * channels && !context.job().cancelled(); i += channels)
                    respondBack(response, at(0) + i, at(1) + i, at(2) + i, to + i, channels);
            });
    });
    return known ? Status(Done{}) : context.error("computes float and half only");
}

Status runLRN(KernelContext& context)
{
    const Value x = context.input(0);
    ASSIGN_OR_RETURN(const auto response, responseOf(context, x));
    const std::int64_t channels = x.dim(3);
    auto y = context.makeOutput(0, x.dtype(), x.dims());
    if (!y || x.elements() == 0)
        return y ? Status(Done{}) : y.error();
    const bool known = dispatch(TypeList<float, Half>(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = x.as<T>().data();
        T* to = y.value().template mutableAs<T>().data();
        parallelFor(x.elements() / channels, channels * 20,
                    [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t i = begin; i < end && !context.job().cancelled(); ++i)
                            respond(response, from + i * channels, to + i * channels, channels);
                    });
    });
    return known ? Status(Done{}) : context.error("computes float and half only");
}

} // namespace

LAPIDARY_KERNEL(LRN, runLRN);
LAPIDARY_KERNEL(LRNGrad, runLRNGrad);

} // namespace lapidary
