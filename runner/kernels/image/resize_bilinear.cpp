// SPDX-License-Identifier: Apache-2.0
// ResizeBilinear: combines the four nearest pixels, horizontally first, in float.
#include "runner/kernels/image/bilinear.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runResizeBilinear(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto grid, resizeGrid(context));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float, grid.outDims()));
    return resizeBilinearInto(out.mutableAs<float>(), context.input(0), grid,
                              context.session().pool, context.job());
}

} // namespace

LAPIDARY_KERNEL(ResizeBilinear, runResizeBilinear);

} // namespace lapidary
