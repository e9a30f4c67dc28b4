// RealDiv: z = x / y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, FloatsAndComplex(),
                     [](auto x, auto y) { return division::quotient(x, y); });
}

} // namespace

const Kernel kernels::realDiv{.op = "RealDiv", .run = run};

} // namespace lapidary
