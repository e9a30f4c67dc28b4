// Conj: the complex conjugate.
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/unary.h"

#include <complex>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runUnary(context, Complexes(), []([[maybe_unused]] auto x) { return std::conj(x); });
}

} // namespace

const Kernel kernels::conj{.op = "Conj", .run = run};

} // namespace lapidary
