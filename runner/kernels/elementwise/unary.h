// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/wide_loop.h"

#include <algorithm>
#include <span>

namespace lapidary {

template <class T>
struct RealOf : std::type_identity<T> {
};
template <class R>
struct RealOf<std::complex<R>> : std::type_identity<R> {
};

// The value to write y into: the input itself where nobody else holds it, else a new one. Take
// `source` before: it is what to read.
struct UnaryOutput {
    Value y;
    Value held; // the input, where y is not it
    const Value& source() const { return held.isSet() ? held : y; }
};
inline Result<UnaryOutput> unaryOutput(KernelContext& context)
{
    Value reused = context.takeInput(0);
    if (reused.isSet())
        return UnaryOutput{std::move(reused), {}};
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.allocate(x.dtype(), x.dims()));
    return UnaryOutput{std::move(made), x};
}

// y[i] = op(x[i]) in pieces, between which a cancelled run ends.
template <class X, class Y, class Op>
void transformElements(std::span<const X> x, std::span<Y> y, const Op& op)
{
    constexpr std::size_t piece = 1 << 13; // some elements take a microsecond
    for (std::size_t i = 0; i < x.size(); i += piece) {
        stopIfAsked();
        const std::span<const X> some = x.subspan(i, std::min(piece, x.size() - i));
        Y* const to = y.data() + i;
        if (static_cast<const void*>(some.data()) != to)
            std::ranges::transform(some, to, op);
        else if constexpr (std::is_same_v<X, Y>)
            for (Y& element : y.subspan(i, some.size()))
                element = op(element); // one array: no overlap that would keep it from vectors
    }
}

// y[i] = op(x[i]) for one of the types in `Types`; writes into the input where nobody else holds
// it. Half and bfloat16 are promoted to float by the operation and rounded when stored; an op that
// has a member `takesStored` gets them as they are, to round each of its steps.
template <class Types, class Op>
Status runUnary(KernelContext& context, Types types, const Op& op)
{
    ASSIGN_OR_RETURN(auto made, unaryOutput(context));
    UnaryOutput out = std::move(made);
    const bool known = dispatch(types, out.y.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto one = [&op](T value) {
            if constexpr (requires { Op::takesStored; })
                return op(value);
            else
                return T(op(wide(value)));
        };
        const auto y = out.y.template mutableAs<T>();
        if constexpr (std::is_same_v<T, float>) {
            wideLoop([&] { transformElements(out.source().template as<T>(), y, one); });
            return;
        }
        transformElements(out.source().template as<T>(), y, one);
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(out.y.dtype()));
    return context.setOutput(0, std::move(out.y));
}

// Stands for "the real type of the complex input" in runUnaryTo.
struct RealPart {};

// Does the same with another element type for the output: bool, or RealPart.
template <class Out, class Types, class Op>
Status runUnaryTo(KernelContext& context, Types types, const Op& op)
{
    const Value& x = context.input(0);
    Status status = Done{};
    const bool known = dispatch(types, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        using Y = typename std::conditional_t<std::is_same_v<Out, RealPart>, RealOf<T>,
                                              std::type_identity<Out>>::type;
        if (const DType asked = context.typeAttr("Tout", dtypeOf<Y>()); asked != dtypeOf<Y>()) {
            status = context.error("gives " + dtypeName(dtypeOf<Y>()) + ", but Tout is " +
                                   dtypeName(asked));
            return;
        }
        auto made = context.makeOutput(0, dtypeOf<Y>(), x.dims());
        if (made)
            transformElements(x.as<T>(), made->template mutableAs<Y>(),
                              [&](T value) { return Y(op(wide(value))); });
        else
            status = made.error();
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return status;
}

} // namespace lapidary
