// Angle: the angle of a complex number, in (-pi, pi].
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::arg(x); });
}

} // namespace

const Kernel kernels::angle{.op = "Angle", .run = run};

} // namespace lapidary
