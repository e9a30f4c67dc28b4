// Softsign: y = x / (|x| + 1).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, RealFloats(), []([[maybe_unused]] auto x) {
        return decltype(x)(x / (std::abs(x) + decltype(x)(1)));
    });
}

} // namespace

const Kernel kernels::softsign{.op = "Softsign", .run = run};

} // namespace lapidary
