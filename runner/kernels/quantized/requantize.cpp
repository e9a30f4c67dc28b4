// SPDX-License-Identifier: Apache-2.0
// Requantization of 32-bit sums to 8-bit codes, and its range.
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/quantized/requantize_codes.h"

namespace lapidary {
namespace {

// Requantize: int32 codes to 8 bits in a given range (spec: kernels, B19).
Status runRequantize(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto from, rangeOf(context, 1));
    ASSIGN_OR_RETURN(const auto to, rangeOf(context, 3));
    RETURN_IF_ERROR(checkRequested(context, to));
    ASSIGN_OR_RETURN(auto out,
                     context.makeOutput(0, context.typeAttr("out_type"), context.input(0).dims()));
    requantizeInto(context, from, to, out);
    return setRange(context, to);
}

// RequantizationRange: the real range that int32 codes use (spec: kernels, B18).
Status runRequantizationRange(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto from, rangeOf(context, 1));
    return setRange(context, usedRange(context, from), 0);
}

// QuantizeDownAndShrinkRange: int32 codes to 8 bits in the range that they use: RequantizationRange
// and Requantize in one (spec: kernels, B20).
Status runQuantizeDownAndShrinkRange(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto from, rangeOf(context, 1));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QUInt8, context.input(0).dims()));
    const CodeRange to = usedRange(context, from);
    requantizeInto(context, from, to, out);
    return setRange(context, to);
}

} // namespace

LAPIDARY_KERNEL(Requantize, runRequantize);
LAPIDARY_KERNEL(RequantizationRange, runRequantizationRange);
LAPIDARY_KERNEL(QuantizeDownAndShrinkRange, runQuantizeDownAndShrinkRange);

} // namespace lapidary
