// QuantizedMul: (x - the code of 0) * (y - the code of 0), in int32 (spec: kernels, B10).
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/pairing.h"
#include "runner/kernels/quantised/ranges.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto x = growingRangeOf(context, 2, "x");
    if (!x)
        return x.error();
    const auto y = growingRangeOf(context, 4, "y");
    if (!y)
        return y.error();
    const auto pairing = pairingOf(context);
    if (!pairing)
        return pairing.error();
    auto out = context.makeOutput(0, DType::QInt32, pairing.value().broadcast.output);
    if (!out)
        return out.error();
    const auto xZero = std::uint32_t(unclampedCode<std::uint8_t>(0, x.value()));
    const auto yZero = std::uint32_t(unclampedCode<std::uint8_t>(0, y.value()));
    if (out.value().elements() > 0)
        eachPair(pairing.value(), context.input(0).as<std::uint8_t>(),
                 context.input(1).as<std::uint8_t>(), out.value().mutableAs<std::int32_t>(),
                 [=](std::uint8_t a, std::uint8_t b) {
                     return std::int32_t((a - xZero) * (b - yZero));
                 });
    return setRange(context, productRange<std::uint8_t, std::uint8_t>(x.value(), y.value()));
}

} // namespace

const Kernel kernels::quantizedMul{.op = "QuantizedMul", .run = run};

} // namespace lapidary
