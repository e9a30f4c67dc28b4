// ApproximateEqual: |x - y| <= tolerance (1e-5), as recorded; shapes must be equal.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/elementwise/kernels.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    if (context.input(0).dims() != context.input(1).dims())
        return context.error("the shapes must be equal, but they are " +
                             dimsText(context.input(0).dims()) + " and " +
                             dimsText(context.input(1).dims()));
    const float tolerance = context.floatAttr("tolerance", 1e-5F);
    return runBinaryTo<bool>(context, TypeList<float, double>(), [tolerance](auto x, auto y) {
        return std::abs(x - y) <= decltype(x)(tolerance);
    });
}

} // namespace

const Kernel kernels::approximateEqual{.op = "ApproximateEqual", .run = run};

} // namespace lapidary
