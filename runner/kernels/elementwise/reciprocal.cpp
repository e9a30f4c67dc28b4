// Reciprocal: y = 1 / x.
#include "runner/kernels/elementwise/division.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return division::quotient(decltype(x)(1), x); });
}

} // namespace

const Kernel kernels::reciprocal{.op = "Reciprocal", .run = run};

} // namespace lapidary
