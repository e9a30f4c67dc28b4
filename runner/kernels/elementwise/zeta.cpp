// Zeta: the Hurwitz zeta function.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::zeta(x, y); });
}

} // namespace

const Kernel kernels::zeta{.op = "Zeta", .run = run};

} // namespace lapidary
