// Rint: the nearest whole number, ties to even.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(),
                    []([[maybe_unused]] auto x) { return std::nearbyint(x); });
}

} // namespace

const Kernel kernels::rint{.op = "Rint", .run = run};

} // namespace lapidary
