// IsFinite: isfinite(x), as bool.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<bool>(context, RealFloats(),
                            []([[maybe_unused]] auto x) { return std::isfinite(x); });
}

} // namespace

const Kernel kernels::isFinite{.op = "IsFinite", .run = run};

} // namespace lapidary
