// DepthwiseConv2dNative: every channel has filters of its own, [h, w, c, multiplier] (spec:
// kernels, A3.3). `dilations` is ignored, as in TensorFlow, whose Python layer rearranges the data
// instead.
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/convolution/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto geometry = depthwiseGeometry(context);
    if (!geometry)
        return geometry.error();
    auto y = convolve(context, geometry.value(), context.input(0), context.input(1),
                      context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

const Kernel kernels::depthwiseConv2dNative{.op = "DepthwiseConv2dNative", .run = run};

} // namespace lapidary
