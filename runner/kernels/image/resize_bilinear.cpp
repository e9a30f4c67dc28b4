// ResizeBilinear: the four nearest pixels, horizontally first, in float.
#include "runner/kernels/image/bilinear.h"
#include "runner/kernels/image/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto grid = resizeGrid(context);
    if (!grid)
        return grid.error();
    auto out = context.makeOutput(0, DType::Float, grid.value().outDims());
    if (!out)
        return out.error();
    return resizeBilinearInto(out.value().mutableAs<float>(), context.input(0), grid.value(),
                              context.session().pool, context.job());
}

} // namespace

const Kernel kernels::resizeBilinear{.op = "ResizeBilinear", .run = run};

} // namespace lapidary
