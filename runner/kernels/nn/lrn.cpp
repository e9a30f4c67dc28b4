// SPDX-License-Identifier: Apache-2.0
// LRN: y[d] = x[d] * (bias + alpha * sum of x[k]^2 over |k - d| <= radius)^-beta along the channels
// (spec: kernels, A7.3). Half computes in float.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cmath>

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

template <class T>
void respond(const Response& response, const T* x, T* y, std::int64_t channels)
{
    for (std::int64_t d = 0; d < channels; ++d) {
        const std::int64_t begin = std::max<std::int64_t>(d - response.radius, 0);
        const std::int64_t end = std::min(d + response.radius + 1, channels);
        float squares = 0;
        for (std::int64_t k = begin; k < end; ++k)
            squares += float(x[k]) * float(x[k]);
        y[d] = T(float(x[d]) * response.factor(squares));
    }
}

Status runLRN(KernelContext& context)
{
    const Value x = context.input(0);
    if (x.rank() != 4)
        return context.error("the input must be 4-dimensional, but is " + dimsText(x.dims()));
    Response response{.radius = context.intAttr("depth_radius", 5),
                      .bias = context.floatAttr("bias", 1),
                      .alpha = context.floatAttr("alpha", 1),
                      .beta = context.floatAttr("beta", 0.5F)};
    if (response.radius < 0)
        return context.error("depth_radius must not be negative");
    const std::int64_t channels = x.dim(3);
    response.radius = std::min(response.radius, channels);
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

} // namespace lapidary
