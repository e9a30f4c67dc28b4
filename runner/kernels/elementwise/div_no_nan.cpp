// DivNoNan: y == 0 ? 0 : x / y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(), [](auto x, auto y) {
        return y == decltype(y)(0) ? decltype(x)(0) : division::quotient(x, y);
    });
}

} // namespace

const Kernel kernels::divNoNan{.op = "DivNoNan", .run = run};

} // namespace lapidary
