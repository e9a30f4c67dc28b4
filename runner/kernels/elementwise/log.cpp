// Log: y = log(x).
#include "runner/kernels/elementwise/flushed.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(), [](auto x) { return std::log(flushed(x)); });
}

} // namespace

const Kernel kernels::log{.op = "Log", .run = run};

} // namespace lapidary
