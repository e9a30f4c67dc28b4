// QuantizedRelu, QuantizedRelu6, QuantizedReluX: codes held between those of 0 and of the ceiling;
// the range stays (spec: kernels, B11).
#include "runner/kernels/quantised/elements.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"

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
    const auto range = rangeOf(context, rangeAt);
    if (!range)
        return range.error();
    const Value& x = context.input(0);
    if (context.typeAttr("out_type", DType::QUInt8) != x.dtype())
        return context.error("out_type must be the type of the input, " + dtypeName(x.dtype()));
    if (x.dtype() != DType::QUInt8 && x.dtype() != DType::QInt32)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    auto out = context.makeOutput(0, x.dtype(), x.dims());
    if (!out)
        return out.error();
    if (x.dtype() == DType::QUInt8)
        hold<std::uint8_t>(context, range.value(), ceiling, out.value());
    else
        hold<std::int32_t>(context, range.value(), ceiling, out.value());
    return setRange(context, range.value());
}

Status run(KernelContext& context)
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

const Kernel kernels::quantizedRelu{.op = "QuantizedRelu", .run = run};
const Kernel kernels::quantizedRelu6{.op = "QuantizedRelu6", .run = run6};
const Kernel kernels::quantizedReluX{.op = "QuantizedReluX", .run = runX};

} // namespace lapidary
