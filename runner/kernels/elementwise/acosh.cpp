// Acosh: y = acosh(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::acosh(x); });
}

} // namespace

const Kernel kernels::acosh{.op = "Acosh", .run = run};

} // namespace lapidary
