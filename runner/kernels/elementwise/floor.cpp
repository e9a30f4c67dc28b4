// Floor: the largest whole number not above x.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::floor(x); });
}

} // namespace

const Kernel kernels::floor{.op = "Floor", .run = run};

} // namespace lapidary
