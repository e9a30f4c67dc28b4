// Complex: x + iy, with broadcasting.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
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

} // namespace

const Kernel kernels::complex{.op = "Complex", .run = run};

} // namespace lapidary
