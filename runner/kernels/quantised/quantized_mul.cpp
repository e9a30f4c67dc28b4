// QuantizedMul: (x - the code of 0) * (y - the code of 0), in int32 (spec: kernels, B10).
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/pairing.h"
#include "runner/kernels/quantised/ranges.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    auto operands = pairOperands(context);
    if (!operands)
        return operands.error();
    auto& [x, y, pairing, out] = operands.value();
    const auto xZero = std::uint32_t(unclampedCode<std::uint8_t>(0, x));
    const auto yZero = std::uint32_t(unclampedCode<std::uint8_t>(0, y));
    if (out.elements() > 0)
        eachPair(pairing, context.input(0).as<std::uint8_t>(), context.input(1).as<std::uint8_t>(),
                 out.mutableAs<std::int32_t>(), [=](std::uint8_t a, std::uint8_t b) {
                     return std::int32_t((a - xZero) * (b - yZero));
                 });
    return setRange(context, productRange<std::uint8_t, std::uint8_t>(x, y));
}

} // namespace

const Kernel kernels::quantizedMul{.op = "QuantizedMul", .run = run};

} // namespace lapidary
