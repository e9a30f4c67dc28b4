// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/arrays/part.h"

#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/arrays/strided_copy.h"

namespace lapidary {

Status setPart(KernelContext& context, std::size_t i, const Value& input, const AxisPart& part,
               Dims dims)
{
    const auto [axis, begin, size] = part;
    if (size == input.dim(axis))
        return context.setOutput(i, input.reshaped(std::move(dims)));
    ASSIGN_OR_RETURN(auto output, context.makeOutput(i, input.dtype(), std::move(dims)));
    if (output.elements() == 0)
        return Done{};
    const auto at = std::size_t(axis);
    const std::int64_t outer = sizeOfAxes(input.dims(), 0, at);
    const std::int64_t inner = sizeOfAxes(input.dims(), at + 1, input.dims().size());
    return stridedCopy(
        context, input, output,
        {.axes = {{outer, inner * input.dim(axis), inner * size}, {inner * size, 1, 1}},
         .fromOffset = inner * begin});
}

} // namespace lapidary
