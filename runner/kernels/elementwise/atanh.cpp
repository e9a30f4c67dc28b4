// Atanh: y = atanh(x).
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, FloatsAndComplex(),
                    []([[maybe_unused]] auto x) { return std::atanh(x); });
}

} // namespace

const Kernel kernels::atanh{.op = "Atanh", .run = run};

} // namespace lapidary
