// Cos: y = cos(x); radians.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::cos(x); });
}

} // namespace

const Kernel kernels::cos{.op = "Cos", .run = run};

} // namespace lapidary
