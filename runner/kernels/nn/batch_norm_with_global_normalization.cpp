// SPDX-License-Identifier: Apache-2.0
// BatchNormWithGlobalNormalization (graphs of producer < 9): y = (x - mean) * k + beta with
// k = rsqrt(variance + epsilon), times gamma if scale_after_normalization (spec: kernels, A4.2).
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

Status checkShapes(const KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.rank() != 4)
        return context.error("the input must be 4-dimensional, but is " + dimsText(x.dims()));
    for (std::size_t i = 1; i < 5; ++i)
        if (context.input(i).dims() != Dims{x.dim(3)})
            return context.error("input " + std::to_string(i) +
                                 " must have one element a channel, " + "but is " +
                                 dimsText(context.input(i).dims()));
    return Done{};
}

template <class T>
void normalize(const KernelContext& context, Value& out, double epsilon, bool scale)
{
    using W = decltype(wide(T()));
    const auto x = context.input(0).as<T>();
    const std::size_t channels = context.input(1).as<T>().size();
    std::vector<W> factor(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        factor[c] = 1 / std::sqrt(W(wide(context.input(2).as<T>()[c])) + W(epsilon));
        if (scale)
            factor[c] *= wide(context.input(4).as<T>()[c]);
    }
    const auto mean = context.input(1).as<T>();
    const auto beta = context.input(3).as<T>();
    const auto y = out.mutableAs<T>();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = i % channels;
        y[i] = T((W(wide(x[i])) - wide(mean[c])) * factor[c] + wide(beta[c]));
    }
}

Status runBatchNormWithGlobalNormalization(KernelContext& context)
{
    RETURN_IF_ERROR(checkShapes(context));
    ASSIGN_OR_RETURN(auto y,
                     context.makeOutput(0, context.input(0).dtype(), context.input(0).dims()));
    const float epsilon = context.floatAttr("variance_epsilon");
    const bool scale = context.boolAttr("scale_after_normalization");
    const bool known = dispatch(TypeList<float, double, Half>(), y.dtype(), [&](auto zero) {
        normalize<decltype(zero)>(context, y, double(epsilon), scale);
    });
    return known ? Status(Done{}) : context.error("computes float, double and half only");
}

} // namespace

LAPIDARY_KERNEL(BatchNormWithGlobalNormalization, runBatchNormWithGlobalNormalization);

} // namespace lapidary
