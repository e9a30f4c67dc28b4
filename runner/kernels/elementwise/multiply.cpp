// SPDX-License-Identifier: Apache-2.0
// Products of two tensors.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/fast_binary.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"

#include <complex>

namespace lapidary {
namespace {

// Mul: z = x * y with broadcasting; integers wrap.
Status runMul(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloatBinary(context, FloatBinary::Multiply);
    return runBinary(context, Numbers(), [](auto x, auto y) { return wrapping::mul(x, y); });
}

// MulNoNan: y == 0 ? 0 : x * y, even if x is not finite.
Status runMulNoNan(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(),
                     [](auto x, auto y) { return y == decltype(y)(0) ? decltype(x)(0) : x * y; });
}

// SquaredDifference: z = (x - y) conj(x - y).
struct SquaredDifference {
    static constexpr bool takesStored = true;

    template <class T>
    T operator()(T x, T y) const
    {
        const T d = T(wrapping::sub(wide(x), wide(y)));
        if constexpr (isComplex<T>)
            return d * std::conj(d);
        else
            return T(wrapping::mul(wide(d), wide(d))); // half: the difference is rounded too
    }
};

Status runSquaredDifference(KernelContext& context)
{
    return runBinary(context, Numbers(), SquaredDifference());
}

} // namespace

LAPIDARY_KERNEL(Mul, runMul);
LAPIDARY_KERNEL(MulNoNan, runMulNoNan);
LAPIDARY_KERNEL(SquaredDifference, runSquaredDifference);

} // namespace lapidary
