// CheckNumerics: y = x; an error where x has infinities or NaN.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/kernels.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
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

const Kernel kernels::checkNumerics{.op = "CheckNumerics", .run = run};

} // namespace lapidary
