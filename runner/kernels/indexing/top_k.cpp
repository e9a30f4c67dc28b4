// SPDX-License-Identifier: Apache-2.0
// TopK, TopKV2: the k largest of each row, descending; equal ones in the order of the row. Always
// sorted, which `sorted` = false allows.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/indexing/ordering.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

template <class T>
Status pickTopK(KernelContext& context, std::int64_t k)
{
    const Value& input = context.input(0);
    Dims dims = input.dims();
    const std::int64_t columns = dims.back();
    dims.back() = k;
    auto values = context.makeOutput(0, input.dtype(), dims);
    RETURN_IF_ERROR(values);
    ASSIGN_OR_RETURN(auto indices, context.makeOutput(1, DType::Int32, dims));
    if (indices.elements() == 0)
        return Done{};
    if (columns > std::numeric_limits<std::int32_t>::max())
        return context.error("a row of " + std::to_string(columns) + " values is too long");
    std::vector<std::int32_t> order(static_cast<std::size_t>(columns));
    const T* row = input.as<T>().data();
    T* bestValue = values->template mutableAs<T>().data();
    std::int32_t* bestIndex = indices.template mutableAs<std::int32_t>().data();
    for (std::int64_t left = input.elements() / columns; left > 0; --left, row += columns) {
        if (context.job().cancelled())
            return cancelledError();
        const auto isBetter = [row](std::int32_t a, std::int32_t b) {
            stopPoint();
            return isLess(row[b], row[a]) || (!isLess(row[a], row[b]) && a < b);
        };
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + k, order.end(), isBetter);
        for (std::int64_t i = 0; i < k; ++i) {
            *bestIndex++ = order[std::size_t(i)];
            *bestValue++ = row[order[std::size_t(i)]];
        }
    }
    return Done{};
}

Status runTopK(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto k = context.inputCount() == 2 ? integerScalar(context, 1, "k")
                                             : Result<std::int64_t>(context.intAttr("k"));
    RETURN_IF_ERROR(k);
    if (input.isScalar())
        return context.error("the input must have at least one axis");
    if (*k < 0 || *k > input.dims().back())
        return context.error("k must be in [0, " + std::to_string(input.dims().back()) + "], not " +
                             std::to_string(*k));
    Status status = context.error("is not defined for " + dtypeName(input.dtype()));
    dispatch(Reals(), input.dtype(),
             [&](auto zero) { status = pickTopK<decltype(zero)>(context, *k); });
    return status;
}

} // namespace

LAPIDARY_KERNEL(TopK, runTopK);
LAPIDARY_KERNEL(TopKV2, runTopK);

} // namespace lapidary
