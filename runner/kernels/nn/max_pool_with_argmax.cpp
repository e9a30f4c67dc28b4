// SPDX-License-Identifier: Apache-2.0
// MaxPoolWithArgmax: MaxPool and where each maximum came from: the flat index of the first one
// within its image, or within the batch where include_batch_in_index.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/lowest.h"
#include "runner/kernels/nn/pooling.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t nowhere = -1;

// Starts with the first element of the window: where that is NaN, NaN it stays.
template <class T>
void findLargest(const Pooling& p, std::int64_t at, const T* x, T* y, std::int64_t* where,
                 bool withBatch)
{
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, at / p.columns.output % p.rows.output);
    const Range columns = clippedWindow(p.columns, at % p.columns.output);
    const std::int64_t perImage = p.rows.input * p.columns.input * p.channels;
    std::fill_n(y, p.channels, lowestOf<T>());
    std::fill_n(where, p.channels, nowhere);
    for (std::int64_t r = rows.begin; r < rows.end; ++r)
        for (std::int64_t c = columns.begin; c < columns.end; ++c) {
            const std::int64_t first = (r * p.columns.input + c) * p.channels;
            const T* pixel = x + image * perImage + first;
            for (std::int64_t k = 0; k < p.channels; ++k) {
                if (where[k] != nowhere && !(wide(pixel[k]) > wide(y[k])))
                    continue;
                y[k] = pixel[k];
                where[k] = first + k + (withBatch ? image * perImage : 0);
            }
        }
    std::replace(where, where + p.channels, nowhere, std::int64_t(0));
}

Status runMaxPoolWithArgmax(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto pooling, poolingOf(context, context.attr("ksize").ints(),
                                                   context.attr("strides").ints()));
    const Pooling& p = pooling;
    if (p.depthWindow > 1)
        return context.error("pools over rows and columns only");
    if (context.typeAttr("Targmax", DType::Int64) != DType::Int64)
        return context.error("gives int64 indices only");
    const Value& x = context.input(0);
    auto y = context.makeOutput(0, x.dtype(), p.outputDims());
    auto where = context.makeOutput(1, DType::Int64, p.outputDims());
    if (!y || !where)
        return y ? where.error() : y.error();
    const bool withBatch = context.boolAttr("include_batch_in_index");
    const bool known = dispatch(Reals(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = y.value().template mutableAs<T>().data();
        std::int64_t* indices = where.value().template mutableAs<std::int64_t>().data();
        for (std::int64_t at = 0; at < p.outputPixels() && !context.job().cancelled(); ++at)
            findLargest(p, at, x.as<T>().data(), to + at * p.channels, indices + at * p.channels,
                        withBatch);
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(MaxPoolWithArgmax, runMaxPoolWithArgmax);

} // namespace lapidary
