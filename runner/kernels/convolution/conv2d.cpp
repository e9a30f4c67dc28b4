// SPDX-License-Identifier: Apache-2.0
// Convolutions of pictures.
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Conv2D: cross-correlation of NHWC images with an HWIO filter (spec: kernels, A3.2). Without input
// channels or filter rows the sums are 0.
Status runConv2D(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto geometry, conv2dGeometry(context));
    auto y = convolve(context, geometry, context.input(0), context.input(1),
                      context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

// DepthwiseConv2dNative: every channel has filters of its own, [h, w, c, multiplier] (spec:
// kernels, A3.3). `dilations` is ignored, as in TensorFlow, whose Python layer rearranges the data
// instead.
Status runDepthwiseConv2dNative(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto geometry, depthwiseGeometry(context));
    auto y = convolve(context, geometry, context.input(0), context.input(1),
                      context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

LAPIDARY_KERNEL(Conv2D, runConv2D);
LAPIDARY_KERNEL(DepthwiseConv2dNative, runDepthwiseConv2dNative);

} // namespace lapidary
