// Acos: y = acos(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::acos(x); });
}

} // namespace

const Kernel kernels::acos{.op = "Acos", .run = run};

} // namespace lapidary
