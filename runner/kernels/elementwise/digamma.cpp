// Digamma: the derivative of log gamma(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), [](auto x) { return special::digamma(x); });
}

} // namespace

const Kernel kernels::digamma{.op = "Digamma", .run = run};

} // namespace lapidary
