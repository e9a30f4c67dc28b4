// SPDX-License-Identifier: Apache-2.0
// Circular and hyperbolic functions; angles are in radians.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/fast_float.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

// Acos: y = acos(x).
Status runAcos(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::acos(x); });
}

// Acosh: y = acosh(x).
Status runAcosh(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::acosh(x); });
}

// Asin: y = asin(x).
Status runAsin(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::asin(x); });
}

// Asinh: y = asinh(x).
Status runAsinh(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::asinh(x); });
}

// Atan: y = atan(x).
Status runAtan(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::atan(x); });
}

// Atan2: the angle of the point (y, x).
Status runAtan2(KernelContext& context)
{
    return runBinary(context, RealFloats(), [](auto x, auto y) { return std::atan2(x, y); });
}

// Atanh: y = atanh(x).
Status runAtanh(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::atanh(x); });
}

// Cos: y = cos(x); radians.
Status runCos(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::cos(x); });
}

// Cosh: y = cosh(x).
Status runCosh(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::cosh(x); });
}

// Sin: y = sin(x); radians.
Status runSin(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::sin(x); });
}

// Sinh: y = sinh(x).
Status runSinh(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::sinh(x); });
}

// Tan: y = tan(x); radians.
Status runTan(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::tan(x); });
}

// Tanh: y = tanh(x).
Status runTanh(KernelContext& context)
{
    if (context.input(0).dtype() == DType::Float)
        return runFloats(context, tanhFloats);
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::tanh(x); });
}

} // namespace

LAPIDARY_KERNEL(Acos, runAcos);
LAPIDARY_KERNEL(Acosh, runAcosh);
LAPIDARY_KERNEL(Asin, runAsin);
LAPIDARY_KERNEL(Asinh, runAsinh);
LAPIDARY_KERNEL(Atan, runAtan);
LAPIDARY_KERNEL(Atan2, runAtan2);
LAPIDARY_KERNEL(Atanh, runAtanh);
LAPIDARY_KERNEL(Cos, runCos);
LAPIDARY_KERNEL(Cosh, runCosh);
LAPIDARY_KERNEL(Sin, runSin);
LAPIDARY_KERNEL(Sinh, runSinh);
LAPIDARY_KERNEL(Tan, runTan);
LAPIDARY_KERNEL(Tanh, runTanh);

} // namespace lapidary
