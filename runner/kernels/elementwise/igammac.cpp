// Igammac: the regularised upper incomplete gamma function Q(x, y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::igammac(x, y); });
}

} // namespace

const Kernel kernels::igammac{.op = "Igammac", .run = run};

} // namespace lapidary
