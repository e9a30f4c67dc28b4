// SPDX-License-Identifier: Apache-2.0
// Conv2DBackpropInput: the transposed convolution, that is the gradient of Conv2D for an input of
// size `input_sizes` (spec: kernels, A3.4). No dilation, no groups, NHWC only.
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

Status runConv2DBackpropInput(KernelContext& context)
{
    const Value& filter = context.input(1);
    const Value& grad = context.input(2);
    ASSIGN_OR_RETURN(auto geometry, gradientGeometry(context, {.data = context.input(0).integers(),
                                                               .filter = filter.dims(),
                                                               .result = grad.dims()}));
    geometry.kind = onednn::ConvKind::Transposed;
    auto y = convolve(context, geometry, grad, filter, context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

LAPIDARY_KERNEL(Conv2DBackpropInput, runConv2DBackpropInput,
                .ranks = {Rank::Vector, Rank::Four, Rank::Four});

} // namespace lapidary
