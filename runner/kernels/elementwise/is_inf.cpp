// IsInf: isinf(x), as bool.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<bool>(context, RealFloats(),
                            []([[maybe_unused]] auto x) { return std::isinf(x); });
}

} // namespace

const Kernel kernels::isInf{.op = "IsInf", .run = run};

} // namespace lapidary
