// Polygamma: derivative number x of digamma, at y.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::polygamma(x, y); });
}

} // namespace

const Kernel kernels::polygamma{.op = "Polygamma", .run = run};

} // namespace lapidary
