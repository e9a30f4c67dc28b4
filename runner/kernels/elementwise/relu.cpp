// Relu: y = max(x, 0). NaN stays NaN, as in TensorFlow.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Reals(),
                    [](auto x) { return x < decltype(x)(0) ? decltype(x)(0) : x; });
}

} // namespace

const Kernel kernels::relu{.op = "Relu", .run = run};

} // namespace lapidary
