// Atan: y = atan(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::atan(x); });
}

} // namespace

const Kernel kernels::atan{.op = "Atan", .run = run};

} // namespace lapidary
