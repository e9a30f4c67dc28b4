#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {

template <class T>
struct RealOf : std::type_identity<T> {
};
template <class R>
struct RealOf<std::complex<R>> : std::type_identity<R> {
};

// y[i] = op(x[i]) for one of the types in `Types`; writes into the input where nobody else holds
// it. Half and bfloat16 are promoted to float by the operation and rounded when stored.
template <class Types, class Op>
Status runUnary(KernelContext& context, Types types, const Op& op)
{
    const Value x = context.input(0);
    Value reused = context.takeInput(0);
    Result<Value> made =
        reused.isSet() ? Result<Value>(std::move(reused)) : context.allocate(x.dtype(), x.dims());
    if (!made)
        return made.error();
    Value y = std::move(made).value();
    const bool known = dispatch(types, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        std::ranges::transform(x.as<T>(), y.mutableAs<T>().begin(),
                               [&](T value) { return T(op(wide(value))); });
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return context.setOutput(0, std::move(y));
}

// Stands for "the real type of the complex input" in runUnaryTo.
struct RealPart {};

// The same with another element type for the output: bool, or RealPart.
template <class Out, class Types, class Op>
Status runUnaryTo(KernelContext& context, Types types, const Op& op)
{
    const Value& x = context.input(0);
    Status status = Done{};
    const bool known = dispatch(types, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        using Y = typename std::conditional_t<std::is_same_v<Out, RealPart>, RealOf<T>,
                                              std::type_identity<Out>>::type;
        auto made = context.makeOutput(0, dtypeOf<Y>(), x.dims());
        if (made)
            std::ranges::transform(x.as<T>(), made.value().template mutableAs<Y>().begin(),
                                   [&](T value) { return Y(op(wide(value))); });
        else
            status = made.error();
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return status;
}

} // namespace lapidary
