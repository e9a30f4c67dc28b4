// Asin: y = asin(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::asin(x); });
}

} // namespace

const Kernel kernels::asin{.op = "Asin", .run = run};

} // namespace lapidary
