// SPDX-License-Identifier: Apache-2.0
// BiasAddGrad: the sum over all axes but the channels. Integers wrap. The last digits of
// floating-point sums depend on the order, which is TensorFlow's on one thread: for NHWC that of
// memory; for NCHW image by image, with as many partial sums as a register holds.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/rounded.h"

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace lapidary {
namespace {

// Returns the sum so far, which is float for half and rounded for bfloat16.
template <class T>
auto kept(decltype(wide(T())) sum)
{
    if constexpr (std::is_same_v<T, BFloat16>)
        return rounded<T>(sum);
    else
        return sum;
}

template <class T>
void sumLastAxis(std::span<const T> x, std::span<T> y)
{
    std::vector<decltype(wide(T()))> sums(y.size());
    for (std::size_t row = 0; row < x.size(); row += sums.size())
        for (std::size_t c = 0; c < sums.size(); ++c)
            sums[c] = kept<T>(wrapping::add(sums[c], wide(x[row + c])));
    for (std::size_t c = 0; c < sums.size(); ++c)
        y[c] = T(sums[c]);
}

// Returns the number of sums of T in a register of 32 bytes; half is widened, and bfloat16 has
// none.
template <class T>
constexpr std::size_t lanesOf()
{
    if constexpr (std::is_same_v<T, BFloat16>)
        return 1;
    else
        return std::is_same_v<T, Half> ? 8 : 32 / sizeof(T);
}

// Returns the sum of neighbors, in that many lanes; long runs are halved, so that they lose little
// precision.
template <class T>
decltype(wide(T())) sumRun(std::span<const T> x)
{
    using W = decltype(wide(T()));
    constexpr std::size_t lanes = lanesOf<T>();
    constexpr std::size_t longest = lanes * 1024;
    if (x.size() > longest) {
        const std::size_t split = ((x.size() + 1) / 2 + lanes - 1) / lanes * lanes;
        return rounded<T>(wrapping::add(sumRun(x.first(split)), sumRun(x.subspan(split))));
    }
    std::array<W, lanes> sums{};
    const std::size_t whole = x.size() / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k)
            sums[k] = rounded<T>(wrapping::add(sums[k], wide(x[i + k])));
    W rest{};
    for (const T& element : x.subspan(whole))
        rest = rounded<T>(wrapping::add(rest, wide(element)));
    for (std::size_t step = lanes / 2; step > 0; step /= 2)
        for (std::size_t k = 0; k < step; ++k)
            sums[k] = wrapping::add(sums[k], sums[k + step]);
    return rounded<T>(wrapping::add(rest, rounded<T>(sums[0])));
}

template <class T>
void sumSecondAxis(const Value& x, std::span<T> y)
{
    const std::span<const T> all = x.as<T>();
    const std::size_t run = all.empty() ? 0 : all.size() / std::size_t(x.dim(0)) / y.size();
    for (std::size_t c = 0; c < y.size(); ++c) {
        decltype(wide(T())) sum{};
        for (std::size_t at = c * run; at < all.size(); at += y.size() * run)
            sum = kept<T>(wrapping::add(sum, sumRun(all.subspan(at, run))));
        y[c] = T(sum);
    }
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
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), {x.dim(axis)}));
    const bool known = dispatch(Numbers(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const std::span<T> y = made.template mutableAs<T>();
        if (channelsFirst)
            sumSecondAxis<T>(x, y);
        else
            sumLastAxis<T>(x.as<T>(), y);
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(BiasAddGrad, runBiasAddGrad);

} // namespace lapidary
