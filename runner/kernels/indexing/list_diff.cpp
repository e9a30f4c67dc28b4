// SPDX-License-Identifier: Apache-2.0
// ListDiff: the elements of x that are not in y, in their order, and their indices in x.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/indexing/row_table.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

using Places = std::vector<std::int64_t>;

template <class T>
Result<Places> keptPlaces(KernelContext& context, const Value& x, const Value& y)
{
    constexpr std::int64_t elementsBetweenLooks = 1 << 20;
    const T* known = readElements<T>(y).data();
    ASSIGN_OR_RETURN(auto table, RowTable::make(context, y.elements()));
    for (std::int64_t i = 0; i < y.elements(); ++i)
        table.findOrAdd(i, rowHashOf(known[i], i),
                        [&](std::int64_t other) { return areEqual(known[i], known[other]); });
    Places kept;
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        if (i % elementsBetweenLooks == 0 && context.job().cancelled())
            return cancelledError();
        const T& element = readElements<T>(x)[i];
        if (!table.contains(rowHashOf(element, i),
                            [&](std::int64_t other) { return areEqual(element, known[other]); }))
            kept.push_back(i);
    }
    return kept;
}

Status runListDiff(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    if (!x.isVector() || !y.isVector())
        return context.error("x and y must be vectors, but their shapes are " + dimsText(x.dims()) +
                             " and " + dimsText(y.dims()));
    Result<Places> kept = context.error("cannot compare " + dtypeName(x.dtype()));
    dispatchComparable(x.dtype(),
                       [&](auto zero) { kept = keptPlaces<decltype(zero)>(context, x, y); });
    RETURN_IF_ERROR(kept);
    const Dims dims{std::int64_t(kept->size())};
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, x.dtype(), dims));
    dispatchBySize(x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        T* to = writeElements<T>(output).data();
        for (const std::int64_t place : *kept)
            *to++ = readElements<T>(x)[place];
    });
    return setIntegers(context, 1, context.typeAttr("out_idx", DType::Int32), dims, *kept);
}

} // namespace

LAPIDARY_KERNEL(ListDiff, runListDiff);

} // namespace lapidary
