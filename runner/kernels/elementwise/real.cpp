// Real: the real part.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::real(x); });
}

} // namespace

const Kernel kernels::real{.op = "Real", .run = run};

} // namespace lapidary
