// MulNoNan: y == 0 ? 0 : x * y, even where x is not finite.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(),
                     [](auto x, auto y) { return y == decltype(y)(0) ? decltype(x)(0) : x * y; });
}

} // namespace

const Kernel kernels::mulNoNan{.op = "MulNoNan", .run = run};

} // namespace lapidary
