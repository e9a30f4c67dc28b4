// SPDX-License-Identifier: Apache-2.0
// AvgPool: the mean of each window's elements inside the image (spec: kernels, A7.2). Half is
// summed in float and rounded once.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/pooling.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
using SumOf = decltype(wide(T()));

template <class T>
void meanOfPixel(const Pooling& p, std::int64_t at, const T* x, SumOf<T>* sums, T* y)
{
    const std::int64_t column = at % p.columns.output;
    const std::int64_t row = at / p.columns.output % p.rows.output;
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, row);
    const Range columns = clippedWindow(p.columns, column);
    std::fill_n(sums, p.channels, SumOf<T>(0));
    for (std::int64_t r = rows.begin; r < rows.end; ++r) {
        const T* line = x + (image * p.rows.input + r) * p.columns.input * p.channels;
        for (std::int64_t c = columns.begin; c < columns.end; ++c)
            for (std::int64_t k = 0; k < p.channels; ++k)
                sums[k] += wide(line[c * p.channels + k]);
    }
    const auto count = SumOf<T>(std::max<std::int64_t>(rows.end - rows.begin, 0) *
                                std::max<std::int64_t>(columns.end - columns.begin, 0));
    for (std::int64_t k = 0; k < p.channels; ++k)
        y[k] = T(sums[k] / count);
}

Status runAvgPool(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto pooling, poolingOf(context, context.attr("ksize").ints(),
                                                   context.attr("strides").ints()));
    const Pooling& p = pooling;
    if (p.depthWindow > 1)
        return context.error("averages over rows and columns only");
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, x.dtype(), p.outputDims()));
    const bool known = dispatch(TypeList<float, double, Half>(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = x.as<T>().data();
        T* to = y.template mutableAs<T>().data();
        const std::int64_t cost = p.rows.kernel * p.columns.kernel * p.channels / 2;
        parallelFor(p.outputPixels(), cost, [&](std::int64_t begin, std::int64_t end) {
            std::vector<SumOf<T>> sums(std::size_t(p.channels));
            for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at)
                meanOfPixel(p, at, from, sums.data(), to + at * p.channels);
        });
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(AvgPool, runAvgPool);

} // namespace lapidary
