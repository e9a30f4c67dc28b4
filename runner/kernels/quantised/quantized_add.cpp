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
    auto operands = pairOperands(context);
    if (!operands)
        return operands.error();
    auto& [x, y, pairing, out] = operands.value();
    const float largest =
        std::max(std::fabs(std::min(x.min, y.min)), std::fabs(std::max(x.max, y.max))) * 16384.0F;
    const CodeRange sum{-largest, largest};
    const bool isFlat = pairing.isFlat();
    const bool xAlone = isFlat && context.input(0).elements() == 1;
    const bool yAlone = isFlat && !xAlone && context.input(1).elements() == 1;
    const Table xTable = movedCodes(x, sum, xAlone);
    const Table yTable = movedCodes(y, sum, yAlone);
    if (out.elements() > 0)
        eachPair(pairing, context.input(0).as<std::uint8_t>(), context.input(1).as<std::uint8_t>(),
                 out.mutableAs<std::int32_t>(), [&](std::uint8_t a, std::uint8_t b) {
                     return wrappingSum32(xTable[a], yTable[b]);
                 });
    return setRange(context, sum);
}

} // namespace

const Kernel kernels::quantizedAdd{.op = "QuantizedAdd", .run = run};

} // namespace lapidary
