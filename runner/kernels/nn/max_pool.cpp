// SPDX-License-Identifier: Apache-2.0
// MaxPool, MaxPoolV2: the largest element of each window; padding never wins (spec: kernels, A7.1).
// V2 has ksize and strides as inputs.
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/pooling.h"

namespace lapidary {
namespace {

Status runMaxPool(KernelContext& context)
{
    const auto pooling =
        poolingOf(context, context.attr("ksize").ints(), context.attr("strides").ints());
    return pooling ? poolMaximum(context, pooling.value()) : pooling.error();
}

Status runV2(KernelContext& context)
{
    const auto pooling =
        poolingOf(context, context.input(1).integers(), context.input(2).integers());
    return pooling ? poolMaximum(context, pooling.value()) : pooling.error();
}

} // namespace

LAPIDARY_KERNEL(MaxPool, runMaxPool);
LAPIDARY_KERNEL(MaxPoolV2, runV2);

} // namespace lapidary
