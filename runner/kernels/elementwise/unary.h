// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/wide_loop.h"

#include <algorithm>
#include <array>
#include <span>

namespace lapidary {

template <class T>
struct RealOf : std::type_identity<T> {
};
template <class R>
struct RealOf<std::complex<R>> : std::type_identity<R> {
};

// The value to write y to: the input itself if it is not shared, else a new one. Get source(), the
// value to read, before writing.
struct UnaryOutput {
    Value y;
    Value held; // the input, if y is a new value
    const Value& source() const { return held.isSet() ? held : y; }
};
Result<UnaryOutput> unaryOutput(KernelContext& context);

// The computation of y[i] = op(x[i]) for inputs of one element type. Only `apply` knows the types
// of the pointers, so that the rest of a kernel is compiled once for all ops. x and y are the same
// array or do not overlap.
struct UnaryRun {
    DType input;
    DType output;
    std::size_t inputSize; // bytes of one element
    std::size_t outputSize;
    void (*apply)(const void* op, const void* x, void* y, std::size_t count);
};
// Compute with the row of `runs` for the input's element type, in pieces, between which a cancelled
// run stops. The first function writes into the input if it is not shared.
Status runUnaryRow(KernelContext& context, std::span<const UnaryRun> runs, const void* op);
Status runUnaryRowTo(KernelContext& context, std::span<const UnaryRun> runs, const void* op);

// Computes y[i] = op(x[i]); x and y are the same array or do not overlap.
template <class X, class Y, class Op>
void transformElements(const X* x, Y* y, std::size_t count, const Op& op)
{
    if (static_cast<const void*>(x) != y)
        std::transform(x, x + count, y, op);
    else if constexpr (std::is_same_v<X, Y>)
        for (std::size_t i = 0; i < count; ++i)
            y[i] = op(y[i]); // one array, so that the compiler can use vectors
}

template <class T, class Op>
constexpr UnaryRun unaryRunOf()
{
    return {dtypeOf<T>(), dtypeOf<T>(), sizeof(T), sizeof(T),
            [](const void* erased, const void* x, void* y, std::size_t count) {
                const Op& op = *static_cast<const Op*>(erased);
                const auto one = [&op](T value) {
                    if constexpr (requires { Op::takesStored; })
                        return op(value);
                    else
                        return T(op(wide(value)));
                };
                const auto run = [&] {
                    transformElements(static_cast<const T*>(x), static_cast<T*>(y), count, one);
                };
                if constexpr (std::is_same_v<T, float>)
                    wideLoop(run);
                else
                    run();
            }};
}

// Computes y[i] = op(x[i]) for one of the types in `Types`. Half and bfloat16 are converted to
// float for the op and rounded when they are stored; an op that has a member `takesStored` gets
// them themselves, to round each of its steps.
template <class... Types, class Op>
Status runUnary(KernelContext& context, TypeList<Types...>, const Op& op)
{
    static constexpr std::array<UnaryRun, sizeof...(Types)> runs{unaryRunOf<Types, Op>()...};
    return runUnaryRow(context, runs, &op);
}

// In runUnaryTo(), means the real type of the complex input.
struct RealPart {};

template <class T, class Out, class Op>
constexpr UnaryRun unaryRunTo()
{
    using Y = typename std::conditional_t<std::is_same_v<Out, RealPart>, RealOf<T>,
                                          std::type_identity<Out>>::type;
    return {dtypeOf<T>(), dtypeOf<Y>(), sizeof(T), sizeof(Y),
            [](const void* op, const void* x, void* y, std::size_t count) {
                transformElements(
                    static_cast<const T*>(x), static_cast<Y*>(y), count,
                    [op](T value) { return Y((*static_cast<const Op*>(op))(wide(value))); });
            }};
}

// Does the same with another element type for the output: bool, or RealPart.
template <class Out, class... Types, class Op>
Status runUnaryTo(KernelContext& context, TypeList<Types...>, const Op& op)
{
    static constexpr std::array<UnaryRun, sizeof...(Types)> runs{unaryRunTo<Types, Out, Op>()...};
    return runUnaryRowTo(context, runs, &op);
}

} // namespace lapidary
