// QuantizedAdd: both operands move to int32 codes of a common range and are added (spec: kernels,
// B9).
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/pairing.h"
#include "runner/kernels/quantised/ranges.h"

#include <array>

namespace lapidary {
namespace {

using Table = std::array<std::int32_t, 256>;

template <class Op>
Table tableOf(const Op& op)
{
    Table table{};
    for (std::size_t code = 0; code < table.size(); ++code)
        table[code] = op(std::uint8_t(code));
    return table;
}

// A single number beside a tensor is moved by itself, with more precision than a tensor.
Table movedCodes(CodeRange from, CodeRange to, bool alone)
{
    if (alone)
        return tableOf([&](std::uint8_t code) {
            return movedCode<std::uint8_t, std::int32_t>(code, from, to);
        });
    return tableOf(Widen(from, to));
}

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
    const float largest = std::max(std::fabs(std::min(x.value().min, y.value().min)),
                                   std::fabs(std::max(x.value().max, y.value().max))) *
                          16384.0F;
    const CodeRange sum{-largest, largest};
    const bool isFlat = pairing.value().isFlat();
    const bool xAlone = isFlat && context.input(0).elements() == 1;
    const bool yAlone = isFlat && !xAlone && context.input(1).elements() == 1;
    const Table xTable = movedCodes(x.value(), sum, xAlone);
    const Table yTable = movedCodes(y.value(), sum, yAlone);
    if (out.value().elements() > 0)
        eachPair(
            pairing.value(), context.input(0).as<std::uint8_t>(),
            context.input(1).as<std::uint8_t>(), out.value().mutableAs<std::int32_t>(),
            [&](std::uint8_t a, std::uint8_t b) { return wrappingSum32(xTable[a], yTable[b]); });
    return setRange(context, sum);
}

} // namespace

const Kernel kernels::quantizedAdd{.op = "QuantizedAdd", .run = run};

} // namespace lapidary
