// Sin: y = sin(x); radians.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::sin(x); });
}

} // namespace

const Kernel kernels::sin{.op = "Sin", .run = run};

} // namespace lapidary
