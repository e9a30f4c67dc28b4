// Tan: y = tan(x); radians.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::tan(x); });
}

} // namespace

const Kernel kernels::tan{.op = "Tan", .run = run};

} // namespace lapidary
