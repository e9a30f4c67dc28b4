// SPDX-License-Identifier: Apache-2.0
// Bincount: counts how often each of 0 to size - 1 occurs, or adds up the weights; larger numbers
// are left out.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

Status check(const KernelContext& context)
{
    const Value& numbers = context.input(0);
    const Value& weights = context.input(2);
    if (!context.input(1).isScalar())
        return context.error("size must be a scalar, but has shape " +
                             dimsText(context.input(1).dims()));
    if (context.input(1).as<std::int32_t>()[0] < 0)
        return context.error("size must not be negative, but is " +
                             std::to_string(context.input(1).as<std::int32_t>()[0]));
    if (weights.elements() != 0 && weights.elements() != numbers.elements())
        return context.error("there are " + std::to_string(weights.elements()) + " weights for " +
                             std::to_string(numbers.elements()) + " numbers");
    const auto all = numbers.as<std::int32_t>();
    if (std::ranges::any_of(all, [](std::int32_t n) { return n < 0; }))
        return context.error("the numbers to count must not be negative");
    return Done{};
}

Status runBincount(KernelContext& context)
{
    RETURN_IF_ERROR(check(context));
    const Value& weights = context.input(2);
    const std::int64_t size = context.input(1).as<std::int32_t>()[0];
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, weights.dtype(), {size}));
    const auto numbers = context.input(0).as<std::int32_t>();
    const bool known = dispatch(Numbers(), weights.dtype(), [&](auto zero) {
        using T = decltype(zero);
        using W = decltype(wide(zero));
        const auto counts = made.template mutableAs<T>();
        std::ranges::fill(counts, T(W(0)));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] >= size)
                continue;
            T& count = counts[std::size_t(numbers[i])];
            const W weight = weights.elements() == 0 ? W(1) : wide(weights.as<T>()[i]);
            count = T(wrapping::add(wide(count), weight));
        }
    });
    return known ? Status(Done{})
                 : context.error("has no kernel for " + dtypeName(weights.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Bincount, runBincount);

} // namespace lapidary
