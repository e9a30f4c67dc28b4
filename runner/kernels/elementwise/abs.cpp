// Abs: y = |x|; the lowest integer stays as it is.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/elementwise/wrapping.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Reals(), []([[maybe_unused]] auto x) {
        return x < decltype(x)(0) ? wrapping::sub(decltype(x)(0), x)
                                  : decltype(x)(x + decltype(x)(0));
    });
}

} // namespace

const Kernel kernels::abs{.op = "Abs", .run = run};

} // namespace lapidary
