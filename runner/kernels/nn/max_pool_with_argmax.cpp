// SPDX-License-Identifier: Apache-2.0
// MaxPoolWithArgmax: MaxPool and the position of each maximum: the flat index of the first one in
// its image, or in the batch if include_batch_in_index.
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/largest.h"

namespace lapidary {
namespace {

// Converts positions to the indices that the op returns: 0 if there is none, and counted from the
// first image if `withBatch`.
void makeIndices(const Pooling& p, std::int64_t at, std::int64_t* where, bool withBatch)
{
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const std::int64_t before = withBatch ? image * p.rows.input * p.columns.input * p.channels : 0;
    for (std::int64_t k = 0; k < p.channels; ++k)
        where[k] = where[k] == nowhere ? 0 : where[k] + before;
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
    auto places = context.makeOutput(1, DType::Int64, p.outputDims());
    if (!y || !places)
        return y ? places.error() : y.error();
    const bool withBatch = context.boolAttr("include_batch_in_index");
    const bool known = dispatch(Reals(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = y.value().template mutableAs<T>().data();
        std::int64_t* indices = places.value().template mutableAs<std::int64_t>().data();
        for (std::int64_t at = 0; at < p.outputPixels() && !context.job().cancelled(); ++at) {
            std::int64_t* where = indices + at * p.channels;
            findLargest(p, at, x.as<T>().data(), to + at * p.channels, where);
            makeIndices(p, at, where, withBatch);
        }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(MaxPoolWithArgmax, runMaxPoolWithArgmax);

} // namespace lapidary
