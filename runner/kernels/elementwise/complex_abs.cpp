// ComplexAbs: the magnitude of a complex number.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::abs(x); });
}

} // namespace

const Kernel kernels::complexAbs{.op = "ComplexAbs", .run = run};

} // namespace lapidary
