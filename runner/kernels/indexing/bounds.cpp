// SPDX-License-Identifier: Apache-2.0
// LowerBound, UpperBound: for each value, the number of entries of its sorted row that are smaller
// (or not larger).
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/indexing/ordering.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Status findBounds(KernelContext& context, bool isUpper)
{
    const Value& sorted = context.input(0);
    const Value& values = context.input(1);
    if (sorted.rank() != 2 || values.rank() != 2 || sorted.dim(0) != values.dim(0))
        return context.error("sorted_inputs " + dimsText(sorted.dims()) + " and values " +
                             dimsText(values.dims()) + " must be matrices with as many rows");
    std::vector<std::int64_t> found;
    const bool known = dispatch(Reals(), sorted.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (std::int64_t i = 0; i < values.elements(); ++i) {
            const T* first = sorted.as<T>().data() + i / values.dim(1) * sorted.dim(1);
            const T* last = first + sorted.dim(1);
            const T value = values.as<T>()[std::size_t(i)];
            found.push_back((isUpper ? std::upper_bound(first, last, value, isLess<T>)
                                     : std::lower_bound(first, last, value, isLess<T>)) -
                            first);
        }
    });
    if (!known)
        return context.error("is not defined for " + dtypeName(sorted.dtype()));
    return setIntegers(context, 0, context.typeAttr("out_type", DType::Int32), values.dims(),
                       found);
}

Status runLower(KernelContext& context)
{
    return findBounds(context, false);
}

Status runUpper(KernelContext& context)
{
    return findBounds(context, true);
}

} // namespace

LAPIDARY_KERNEL(LowerBound, runLower);
LAPIDARY_KERNEL(UpperBound, runUpper);

} // namespace lapidary
