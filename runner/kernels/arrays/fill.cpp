// SPDX-License-Identifier: Apache-2.0
// Tensors of a given shape.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

// Fill: a tensor of the given shape, every element the given value.
Status runFill(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto dims, integerVector(context, 0, "dims"));
    const Value& value = context.input(1);
    if (!value.isScalar())
        return context.error("value must be a scalar, but its shape is " + dimsText(value.dims()));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(0, value.dtype(), std::move(dims)));
    return fillWith(context, output, value);
}

// Empty: a tensor of the given shape whose content does not matter; ours is zero.
Status runEmpty(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto dims, integerVector(context, 0, "the shape"));
    ASSIGN_OR_RETURN(auto output,
                     context.makeOutput(0, context.typeAttr("dtype"), std::move(dims)));
    return fillWithZeros(context, output);
}

} // namespace

LAPIDARY_KERNEL(Fill, runFill);
LAPIDARY_KERNEL(Empty, runEmpty);

} // namespace lapidary
