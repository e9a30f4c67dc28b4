// Conv2D: cross-correlation of NHWC images with an HWIO filter (spec: kernels, A3.2). Without input
// channels or filter rows the sums are 0.
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/convolution/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto geometry = conv2dGeometry(context);
    if (!geometry)
        return geometry.error();
    auto y = convolve(context, geometry.value(), context.input(0), context.input(1),
                      context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

const Kernel kernels::conv2d{.op = "Conv2D", .run = run};

} // namespace lapidary
