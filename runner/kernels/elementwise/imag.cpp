// Imag: the imaginary part.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnaryTo<RealPart>(context, Complexes(),
                                []([[maybe_unused]] auto x) { return std::imag(x); });
}

} // namespace

const Kernel kernels::imag{.op = "Imag", .run = run};

} // namespace lapidary
