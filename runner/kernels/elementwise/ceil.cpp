// Ceil: the smallest whole number not below x.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) { return std::ceil(x); });
}

} // namespace

const Kernel kernels::ceil{.op = "Ceil", .run = run};

} // namespace lapidary
