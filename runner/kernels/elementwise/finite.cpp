// SPDX-License-Identifier: Apache-2.0
// Tests for NaN and infinity.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {
namespace {

// IsFinite: isfinite(x), as bool.
Status runIsFinite(KernelContext& context)
{
    return runUnaryTo<bool>(context, RealFloats(),
                            []([[maybe_unused]] auto x) { return std::isfinite(x); });
}

// IsInf: isinf(x), as bool.
Status runIsInf(KernelContext& context)
{
    return runUnaryTo<bool>(context, RealFloats(),
                            []([[maybe_unused]] auto x) { return std::isinf(x); });
}

// IsNan: isnan(x), as bool.
Status runIsNan(KernelContext& context)
{
    return runUnaryTo<bool>(context, RealFloats(),
                            []([[maybe_unused]] auto x) { return std::isnan(x); });
}

// CheckNumerics: y = x; an error if x has infinities or NaN.
Status runCheckNumerics(KernelContext& context)
{
    const Value& x = context.input(0);
    bool hasInf = false;
    bool hasNan = false;
    const bool known = dispatch(RealFloats(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (const T value : x.as<T>()) {
            hasInf |= std::isinf(wide(value));
            hasNan |= std::isnan(wide(value));
        }
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    if (hasInf || hasNan)
        return context.error(std::string(context.stringAttr("message")) + " : Tensor had " +
                             (hasInf && hasNan ? "Inf and NaN"
                              : hasInf         ? "Inf"
                                               : "NaN") +
                             " values");
    return context.setOutput(0, x);
}

} // namespace

LAPIDARY_KERNEL(IsFinite, runIsFinite);
LAPIDARY_KERNEL(IsInf, runIsInf);
LAPIDARY_KERNEL(IsNan, runIsNan);
LAPIDARY_KERNEL(CheckNumerics, runCheckNumerics);

} // namespace lapidary
