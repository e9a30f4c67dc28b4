// SPDX-License-Identifier: Apache-2.0
// HistogramFixedWidth: counts the elements in each of `nbins` equal parts of the range; those
// outside count in the first or last one.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
Status count(KernelContext& context, std::span<const T> values, std::span<std::int64_t> counts)
{
    const auto range = context.input(1).as<T>();
    const auto low = double(wide(range[0]));
    const auto high = double(wide(range[1]));
    if (!(low < high))
        return context.error("the range must ascend, but it is [" + std::to_string(low) + ", " +
                             std::to_string(high) + "]");
    const double width = (high - low) / double(counts.size());
    const auto last = double(counts.size() - 1);
    for (const T value : values) {
        const double bin = (double(wide(value)) - low) / width;
        ++counts[std::size_t(bin > 0 ? std::min(bin, last) : 0.0)]; // NaN: the first
    }
    return Done{};
}

Status runHistogramFixedWidth(KernelContext& context)
{
    if (context.input(1).dims() != Dims{2})
        return context.error("value_range must have shape [2], but it has " +
                             dimsText(context.input(1).dims()));
    if (!context.input(2).isScalar())
        return context.error("nbins must be a scalar, but has shape " +
                             dimsText(context.input(2).dims()));
    const std::int32_t bins = context.input(2).as<std::int32_t>()[0];
    if (bins <= 0)
        return context.error("nbins must be positive, but is " + std::to_string(bins));
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, context.typeAttr("dtype", DType::Int32), {bins}));
    ASSIGN_OR_RETURN(auto counted, context.allocate(DType::Int64, {bins}));
    const auto counts = counted.mutableAs<std::int64_t>();
    std::ranges::fill(counts, 0);
    Status status = Done{};
    const bool known = dispatch(Reals(), context.input(0).dtype(), [&](auto zero) {
        status = count(context, context.input(0).as<decltype(zero)>(), counts);
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    dispatch(TypeList<std::int32_t, std::int64_t>(), made.dtype(), [&](auto zero) {
        using Count = decltype(zero);
        std::ranges::transform(counts, made.template mutableAs<Count>().begin(),
                               [](std::int64_t n) { return Count(n); });
    });
    return status;
}

} // namespace

LAPIDARY_KERNEL(HistogramFixedWidth, runHistogramFixedWidth);

} // namespace lapidary
