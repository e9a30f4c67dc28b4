// SPDX-License-Identifier: Apache-2.0
// Complex numbers and their parts.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <complex>

namespace lapidary {
namespace {

// Complex: x + iy, with broadcasting.
Status runComplex(KernelContext& context)
{
    const bool isDouble = context.input(0).dtype() == DType::Double;
    const DType out = isDouble ? DType::Complex128 : DType::Complex64;
    if (const DType asked = context.typeAttr("Tout", out); asked != out)
        return context.error("gives " + dtypeName(out) + ", but Tout is " + dtypeName(asked));
    if (isDouble)
        return runBinaryTo<Complex128>(context, TypeList<double>(),
                                       [](auto x, auto y) { return Complex128(x, y); });
    return runBinaryTo<Complex64>(context, TypeList<float>(),
                                  [](auto x, auto y) { return Complex64(x, y); });
}

// ComplexAbs: the magnitude of a complex number.
Status runComplexAbs(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::abs(x); });
}

// Angle: the angle of a complex number, in (-pi, pi].
Status runAngle(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::arg(x); });
}

// Conj: the complex conjugate.
Status runConj(KernelContext& context)
{
    return runUnary(context, Complexes(), []([[maybe_unused]] auto x) { return std::conj(x); });
}

// Imag: the imaginary part.
Status runImag(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::imag(x); });
}

// Real: the real part.
Status runReal(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::real(x); });
}

} // namespace

LAPIDARY_KERNEL(Complex, runComplex);
LAPIDARY_KERNEL(ComplexAbs, runComplexAbs);
LAPIDARY_KERNEL(Angle, runAngle);
LAPIDARY_KERNEL(Conj, runConj);
LAPIDARY_KERNEL(Imag, runImag);
LAPIDARY_KERNEL(Real, runReal);

} // namespace lapidary
