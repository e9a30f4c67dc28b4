// Neg: y = -x; integers wrap.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Numbers(), [](auto x) {
        if constexpr (std::is_floating_point_v<decltype(x)>)
            return -x; // keeps denormals
        else
            return wrapping::sub(decltype(x)(0), x);
    });
}

} // namespace

const Kernel kernels::neg{.op = "Neg", .run = run};

} // namespace lapidary
