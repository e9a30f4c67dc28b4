// SPDX-License-Identifier: Apache-2.0
// EnsureShape: y = x; fails if the shape is not the expected one.
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runEnsureShape(KernelContext& context)
{
    const Dims& dims = context.input(0).dims();
    const Shape expected = context.attr("shape").asShape().value_or(Shape{{}, true});
    bool fits = expected.unknownRank || expected.dims.size() == dims.size();
    for (std::size_t i = 0; fits && i < expected.dims.size(); ++i)
        fits = expected.dims[i] < 0 || expected.dims[i] == dims[i];
    if (!fits)
        return context.error("the shape " + dimsText(dims) + " does not fit the expected one, " +
                             shapeText(expected));
    return context.setOutput(0, context.input(0));
}

} // namespace

LAPIDARY_KERNEL(EnsureShape, runEnsureShape);

} // namespace lapidary
