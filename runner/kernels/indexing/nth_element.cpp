// SPDX-License-Identifier: Apache-2.0
// NthElement: element n of each sorted row; from the end with `reverse`.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/indexing/ordering.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
Status pick(KernelContext& context, std::int64_t n)
{
    const Value& input = context.input(0);
    const std::int64_t columns = input.dims().back();
    auto output =
        context.makeOutput(0, input.dtype(), Dims(input.dims().begin(), input.dims().end() - 1));
    if (!output || output.value().elements() == 0)
        return output ? Status(Done{}) : Status(output.error());
    std::vector<T> row(static_cast<std::size_t>(columns));
    const std::int64_t place = context.boolAttr("reverse") ? columns - 1 - n : n;
    const T* from = input.as<T>().data();
    for (T& element : output.value().template mutableAs<T>()) {
        if (context.job().cancelled())
            return cancelledError();
        std::copy_n(from, columns, row.begin());
        std::nth_element(row.begin(), row.begin() + place, row.end(), [](T a, T b) {
            stopPoint();
            return isLess(a, b);
        });
        element = row[std::size_t(place)];
        from += columns;
    }
    return Done{};
}

Status runNthElement(KernelContext& context)
{
    const Value& input = context.input(0);
    const auto n = integerScalar(context, 1, "n");
    RETURN_IF_ERROR(n);
    if (input.isScalar())
        return context.error("the input must have at least one axis");
    if (*n < 0 || *n >= input.dims().back())
        return context.error("n must be in [0, " + std::to_string(input.dims().back()) + "), not " +
                             std::to_string(*n));
    Status status = context.error("is not defined for " + dtypeName(input.dtype()));
    dispatch(Reals(), input.dtype(),
             [&](auto zero) { status = pick<decltype(zero)>(context, *n); });
    return status;
}

} // namespace

LAPIDARY_KERNEL(NthElement, runNthElement);

} // namespace lapidary
