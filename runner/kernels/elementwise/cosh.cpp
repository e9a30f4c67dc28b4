// Cosh: y = cosh(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::cosh(x); });
}

} // namespace

const Kernel kernels::cosh{.op = "Cosh", .run = run};

} // namespace lapidary
