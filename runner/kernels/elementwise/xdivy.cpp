// Xdivy: x == 0 ? 0 : x / y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(), [](auto x, auto y) {
        return x == decltype(x)(0) ? x : division::quotient(x, y);
    });
}

} // namespace

const Kernel kernels::xdivy{.op = "Xdivy", .run = run};

} // namespace lapidary
