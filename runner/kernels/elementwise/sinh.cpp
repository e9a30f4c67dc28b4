// Sinh: y = sinh(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::sinh(x); });
}

} // namespace

const Kernel kernels::sinh{.op = "Sinh", .run = run};

} // namespace lapidary
