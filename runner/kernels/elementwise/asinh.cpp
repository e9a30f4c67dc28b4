// Asinh: y = asinh(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::asinh(x); });
}

} // namespace

const Kernel kernels::asinh{.op = "Asinh", .run = run};

} // namespace lapidary
