// SPDX-License-Identifier: Apache-2.0
// Evenly spaced numbers.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

// Range: start, start + delta, ... below (above) limit. Each value is the one before plus delta in
// the type itself, as TensorFlow computes it.
// Returns the number of values, or a negative number if there are too many to count.
template <class T>
std::int64_t countOf(T start, T limit, T delta)
{
    if constexpr (std::is_integral_v<T>) {
        using U = std::uint64_t;
        const U distance = delta > 0 ? U(limit) - U(start) : U(start) - U(limit);
        const U step = delta > 0 ? U(delta) : U(0) - U(delta);
        return std::int64_t(distance / step + (distance % step != 0 ? 1 : 0));
    } else {
        const double count = double(std::ceil(std::abs((limit - start) / delta)));
        constexpr double most = 9.0e18;
        return count < most ? std::int64_t(count) : -1;
    }
}

template <class T>
Status makeRange(KernelContext& context)
{
    const T start = context.input(0).as<T>()[0];
    const T limit = context.input(1).as<T>()[0];
    const T delta = context.input(2).as<T>()[0];
    const std::string bounds =
        std::to_string(start) + " to " + std::to_string(limit) + " by " + std::to_string(delta);
    const bool reaches = delta > 0 ? start <= limit : start >= limit;
    if (delta == 0 || delta != delta || !reaches)
        return context.error("there is no way from " + bounds);
    const std::int64_t count = countOf(start, limit, delta);
    if (count < 0)
        return context.error("there is no end of the values from " + bounds);
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, dtypeOf<T>(), {count}));
    T value = start;
    for (T& element : output.template mutableAs<T>()) {
        element = value;
        if constexpr (std::is_integral_v<T>)
            value = T(std::uint64_t(value) + std::uint64_t(delta));
        else
            value += delta;
    }
    return Done{};
}

Status runRange(KernelContext& context)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (!context.input(i).isScalar())
            return context.error("start, limit and delta must be scalars, but input " +
                                 std::to_string(i) + " has the shape " +
                                 dimsText(context.input(i).dims()));
    Status status = context.error("is not defined for " + dtypeName(context.input(0).dtype()));
    dispatch(TypeList<float, double, std::int32_t, std::int64_t>(), context.input(0).dtype(),
             [&](auto zero) { status = makeRange<decltype(zero)>(context); });
    return status;
}

// LinSpace: `num` values from start to stop, evenly spaced; the last one is stop exactly.
template <class T>
Status makeValues(KernelContext& context, std::int64_t count)
{
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, dtypeOf<T>(), {count}));
    const T start = context.input(0).as<T>()[0];
    const T stop = context.input(1).as<T>()[0];
    const auto values = output.template mutableAs<T>();
    const T step = count > 1 ? (stop - start) / T(count - 1) : T(0);
    values.front() = start; // also if the step is infinite
    for (std::size_t i = 1; i < values.size(); ++i)
        values[i] = start + step * T(i);
    if (count > 1)
        values.back() = stop;
    return Done{};
}

Status runLinSpace(KernelContext& context)
{
    if (!context.input(0).isScalar() || !context.input(1).isScalar())
        return context.error("start and stop must be scalars");
    ASSIGN_OR_RETURN(const auto count, integerScalar(context, 2, "num"));
    if (count < 1)
        return context.error("num must be positive: " + std::to_string(count));
    Status status = context.error("is not defined for " + dtypeName(context.input(0).dtype()));
    dispatch(TypeList<float, double>(), context.input(0).dtype(),
             [&](auto zero) { status = makeValues<decltype(zero)>(context, count); });
    return status;
}

} // namespace

LAPIDARY_KERNEL(Range, runRange);
LAPIDARY_KERNEL(LinSpace, runLinSpace);

} // namespace lapidary
