// Igamma: the regularised lower incomplete gamma function P(x, y).
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"
#include "runner/kernels/elementwise/special_functions.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runBinary(context, TypeList<float, double>(),
                     [](auto x, auto y) { return special::igamma(x, y); });
}

} // namespace

const Kernel kernels::igamma{.op = "Igamma", .run = run};

} // namespace lapidary
