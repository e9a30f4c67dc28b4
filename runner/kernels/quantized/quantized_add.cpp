// SPDX-License-Identifier: Apache-2.0
// QuantizedAdd: both operands are requantized to int32 codes of a common range and added (spec:
// kernels, B9).
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/pairing.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/quantized/sums.h"

namespace lapidary {
namespace {

template <class Op>
SumTables::Table tableOf(const Op& op)
{
    SumTables::Table table{};
    for (std::size_t code = 0; code < table.size(); ++code)
        table[code] = op(std::uint8_t(code));
    return table;
}

SumTables::Table movedCodes(CodeRange from, CodeRange to, bool alone)
{
    if (alone)
        return tableOf([&](std::uint8_t code) {
            return movedCode<std::uint8_t, std::int32_t>(code, from, to);
        });
    return tableOf(Widen(from, to));
}

Status runQuantizedAdd(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto operands, pairOperands(context));
    auto& [x, y, pairing, out] = operands;
    const bool isFlat = pairing.isFlat();
    const bool xAlone = isFlat && context.input(0).elements() == 1;
    const bool yAlone = isFlat && !xAlone && context.input(1).elements() == 1;
    const SumTables tables(x, y, xAlone, yAlone);
    if (out.elements() > 0)
        eachPair(pairing, context.input(0).as<std::uint8_t>(), context.input(1).as<std::uint8_t>(),
                 out.mutableAs<std::int32_t>(), [&](std::uint8_t a, std::uint8_t b) {
                     return wrappingSum32(tables.x[a], tables.y[b]);
                 });
    return setRange(context, tables.range);
}

} // namespace

SumTables::SumTables(CodeRange xRange, CodeRange yRange, bool xAlone, bool yAlone)
{
    const float largest = std::max(std::fabs(std::min(xRange.min, yRange.min)),
                                   std::fabs(std::max(xRange.max, yRange.max))) *
                          16384.0F;
    range = {-largest, largest};
    x = movedCodes(xRange, range, xAlone);
    y = movedCodes(yRange, range, yAlone);
}

LAPIDARY_KERNEL(QuantizedAdd, runQuantizedAdd);

} // namespace lapidary
