// Sqrt: y = sqrt(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::sqrt(x); });
}

} // namespace

const Kernel kernels::sqrt{.op = "Sqrt", .run = run};

} // namespace lapidary
