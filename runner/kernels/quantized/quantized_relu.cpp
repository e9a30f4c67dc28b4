// SPDX-License-Identifier: Apache-2.0
// QuantizedRelu, QuantizedRelu6, QuantizedReluX: codes clamped between those of 0 and of the
// maximum; the range stays the same (spec: kernels, B11).
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/elements.h"
#include "runner/kernels/quantized/ranges.h"

#include <optional>

namespace lapidary {
namespace {

template <class T>
void hold(const KernelContext& context, CodeRange range, std::optional<float> ceiling, Value& out)
{
    const T low = nearestCode<T>(0, range);
    const T high = ceiling ? nearestCode<T>(*ceiling, range) : T(highestCode<T>);
    mapCodes(context, context.input(0).as<T>(), out.mutableAs<T>(),
             [low, high](T code) { return std::min(std::max(code, low), high); });
}

Status relu(KernelContext& context, std::size_t rangeAt, std::optional<float> ceiling)
{
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, rangeAt));
    const Value& x = context.input(0);
    if (context.typeAttr("out_type", DType::QUInt8) != x.dtype())
        return context.error("out_type must be the type of the input, " + dtypeName(x.dtype()));
    if (x.dtype() != DType::QUInt8 && x.dtype() != DType::QInt32)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, x.dtype(), x.dims()));
    if (x.dtype() == DType::QUInt8)
        hold<std::uint8_t>(context, range, ceiling, out);
    else
        hold<std::int32_t>(context, range, ceiling, out);
    return setRange(context, range);
}

Status runQuantizedRelu(KernelContext& context)
{
    return relu(context, 1, std::nullopt);
}

Status runX(KernelContext& context)
{
    if (context.input(1).elements() == 0)
        return context.error("max_value must be a number, but is empty");
    return relu(context, 2, context.input(1).as<float>()[0]);
}

Status run6(KernelContext& context)
{
    return relu(context, 1, 6.0F);
}

} // namespace

LAPIDARY_KERNEL(QuantizedRelu, runQuantizedRelu);
LAPIDARY_KERNEL(QuantizedRelu6, run6);
LAPIDARY_KERNEL(QuantizedReluX, runX);

} // namespace lapidary
