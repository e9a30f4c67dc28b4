// SPDX-License-Identifier: Apache-2.0
// BiasAddGrad: the sum over everything but the channels. Integers wrap.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <span>
#include <string>
#include <vector>

namespace lapidary {
namespace {

// y[c] += x[..., c, ...], where the channels are `size` elements apart.
template <class T>
void sumChannels(std::span<const T> x, std::span<T> y, std::size_t size)
{
    const std::size_t channels = y.size();
    std::vector<decltype(wide(T()))> sums(channels);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto& sum = sums[i / size % channels];
        sum = wrapping::add(sum, wide(x[i]));
    }
    for (std::size_t c = 0; c < channels; ++c)
        y[c] = T(sums[c]);
}

Status runBiasAddGrad(KernelContext& context)
{
    const Value& x = context.input(0);
    const bool channelsFirst = context.stringAttr("data_format", "NHWC") == "NCHW";
    const int least = channelsFirst ? 3 : 2;
    if (x.rank() < least)
        return context.error("the input must have at least " + std::to_string(least) +
                             " dimensions, but is " + dimsText(x.dims()));
    const int axis = channelsFirst ? 1 : x.rank() - 1;
    std::size_t size = 1;
    for (int i = axis + 1; i < x.rank(); ++i)
        size *= std::size_t(x.dim(i));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), {x.dim(axis)}));
    const bool known = dispatch(Numbers(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        sumChannels(x.as<T>(), made.template mutableAs<T>(), size);
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(BiasAddGrad, runBiasAddGrad);

} // namespace lapidary
