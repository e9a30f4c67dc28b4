// SPDX-License-Identifier: Apache-2.0
// QuantizedMul: (x - the code of 0) * (y - the code of 0), in int32 (spec: kernels, B10).
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/pairing.h"
#include "runner/kernels/quantized/ranges.h"

namespace lapidary {
namespace {

Status runQuantizedMul(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto operands, pairOperands(context));
    auto& [x, y, pairing, out] = operands;
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

LAPIDARY_KERNEL(QuantizedMul, runQuantizedMul);

} // namespace lapidary
