// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/ranges.h"

#include <string>

namespace lapidary {

Result<CodeRange> rangeOf(const KernelContext& context, std::size_t min, std::size_t max)
{
    for (const std::size_t i : {min, max})
        if (context.input(i).elements() == 0)
            return context.error("input " + std::to_string(i) +
                                 ", an end of a range, must be a number, but is empty");
    return CodeRange{context.input(min).as<float>()[0], context.input(max).as<float>()[0]};
}

Result<CodeRange> rangeOf(const KernelContext& context, std::size_t min)
{
    return rangeOf(context, min, min + 1);
}

Result<CodeRange> growingRangeOf(const KernelContext& context, std::size_t min,
                                 std::string_view name)
{
    auto range = rangeOf(context, min);
    if (!range || range->max > range->min)
        return range;
    // RequantizationRange makes such a range if all numbers are equal and below 0.
    const bool isOneNumber = range->max == range->min && range->max < 0;
    return context.error(
        "max_" + std::string(name) + " must be larger than min_" + std::string(name) +
        ", but they are " + std::to_string(range->max) + " and " + std::to_string(range->min) +
        (isOneNumber ? ": all its numbers are the same negative one, and TensorFlow computes with "
                       "no such range either; the op has to stay in float where this is expected"
                     : ""));
}

Status setRange(KernelContext& context, CodeRange range, std::size_t first)
{
    for (const auto& [i, end] : {std::pair(first, range.min), std::pair(first + 1, range.max)}) {
        ASSIGN_OR_RETURN(auto output, context.makeOutput(i, DType::Float, {}));
        output.mutableAs<float>()[0] = end;
    }
    return Done{};
}

} // namespace lapidary
