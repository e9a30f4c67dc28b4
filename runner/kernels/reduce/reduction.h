// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/reduce/reduced_shape.h"

#include <algorithm>
#include <array>

namespace lapidary {

// Reduces `n` neighboring elements in several lanes, which the compiler can put into a register,
// and in blocks whose results are combined in double, so that long sums of floats lose little
// precision.
template <class Reducer, class T>
auto reduceRun(const T* x, std::int64_t n)
{
    using Sum = typename Reducer::template Sum<T>;
    using Total = std::conditional_t<std::is_same_v<Sum, float>, double, Sum>;
    constexpr std::int64_t lanes = 16;
    constexpr std::int64_t block = 1024;
    Total total = Reducer::template start<T>();
    std::int64_t i = 0;
    while (n - i >= lanes) {
        std::array<Sum, lanes> partial{};
        partial.fill(Reducer::template start<T>());
        const std::int64_t end = i + std::min(block, (n - i) / lanes * lanes);
        for (; i < end; i += lanes)
            for (std::int64_t k = 0; k < lanes; ++k) {
                Sum& lane = partial[std::size_t(k)];
                lane = Reducer::combine(lane, Reducer::value(x[i + k]));
            }
        for (const Sum& lane : partial)
            total = Reducer::combine(total, Total(lane));
    }
    for (; i < n; ++i)
        total = Reducer::combine(total, Total(Reducer::value(x[i])));
    return Sum(total);
}

// Makes one pass over the input in memory order; sums[] has one element for each output. Returns
// false if the job was cancelled.
template <class Reducer, class T, class Sum>
bool reduceInto(const ReducedShape& shape, const T* x, Sum* sums, const Job& job)
{
    std::int64_t sinceLook = 0;
    return eachReducedRun(
        shape, [&](std::int64_t from, std::int64_t to, const ReducedShape::Axis& axis) {
            if (axis.outStep == 0)
                sums[to] = Reducer::combine(sums[to], reduceRun<Reducer>(x + from, axis.size));
            else
                for (std::int64_t i = 0; i < axis.size; ++i)
                    sums[to + i] = Reducer::combine(sums[to + i], Reducer::value(x[from + i]));
            sinceLook += axis.size;
            if (sinceLook < (1 << 22))
                return true;
            sinceLook = 0;
            return !job.cancelled();
        });
}

template <class Reducer, class T>
Status reduceTyped(KernelContext& context, const ReducedShape& shape)
{
    // If nothing is reduced, the input is the output, with its negative zeros and NaN.
    if (shape.count == 1 && shape.outputs > 1)
        return context.setOutput(0, context.input(0).reshaped(shape.output));
    using Sum = typename Reducer::template Sum<T>;
    auto made = context.makeOutput(0, dtypeOf<T>(), shape.output);
    RETURN_IF_ERROR(made);
    ASSIGN_OR_RETURN(auto sums, std::is_same_v<Sum, T>
                                    ? made
                                    : context.allocate(dtypeOf<Sum>(), {shape.outputs}));
    const std::span<Sum> all = sums.template mutableAs<Sum>();
    std::ranges::fill(all, Reducer::template start<T>());
    if (!shape.inputIsEmpty && !reduceInto<Reducer>(shape, context.input(0).template as<T>().data(),
                                                    all.data(), context.job()))
        return cancelledError();
    const std::span<T> out = made->template mutableAs<T>();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = Reducer::template finish<T>(all[i], shape.count);
    return Done{};
}

// Reduces input 0 along the axes of input 1. A Reducer has: Sum<T>, the type to accumulate in;
// start<T>(), value(T), combine(Sum, Sum), finish<T>(Sum, count of elements).
template <class Reducer, class Types>
Status runReduction(KernelContext& context, Types types)
{
    ASSIGN_OR_RETURN(const auto shape, ReducedShape::of(context));
    Status status = Done{};
    const bool known = dispatch(types, context.input(0).dtype(), [&](auto zero) {
        status = reduceTyped<Reducer, decltype(zero)>(context, shape);
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

// Half and bfloat16 are accumulated in float.
template <class T>
using WideSum = decltype(wide(T()));

} // namespace lapidary
