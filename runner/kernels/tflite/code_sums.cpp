// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL, DIV, SQUARED_DIFFERENCE, PRELU and the comparisons of TFLite on 8-bit codes, as
// its reference kernels compute them. Functions of one operand are tables.
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/tflite/code_operands.h"

#include <bit>

namespace lapidary {
namespace {

using Table = std::array<std::int32_t, 256>;

struct Operands2 {
    CodeScale x;
    CodeScale y;
};

Result<Operands2> operandsOf(const KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 2, {0, 1}));
    ASSIGN_OR_RETURN(const auto x, codeScale(context, "in0"));
    ASSIGN_OR_RETURN(const auto y, codeScale(context, "in1"));
    return Operands2{x, y};
}

// Returns made(code - zero) for each code, by its bits.
template <class Made>
Table tableOf(DType dtype, CodeScale scale, const Made& made)
{
    Table table{};
    const CodeBounds codes = CodeBounds::of(dtype);
    for (std::int32_t code = codes.low; code <= codes.high; ++code)
        table[std::uint8_t(code)] = made(code - scale.zero);
    return table;
}

// Sets output 0 to op(xs[x], ys[y]).
template <class Op>
Status combine(KernelContext& context, DType dtype, const Table& xs, const Table& ys, const Op& op)
{
    const Value& x = context.input(0);
    const Value& y = context.input(1);
    const auto broadcast = Broadcast::of(x.dims(), y.dims());
    if (!broadcast)
        return context.error("incompatible shapes: " + dimsText(x.dims()) + " and " +
                             dimsText(y.dims()));
    ASSIGN_OR_RETURN(auto z, context.makeOutput(0, dtype, broadcast->output));
    if (z.elements() == 0)
        return Done{};
    const std::uint8_t* from = x.as<std::uint8_t>().data();
    const std::uint8_t* with = y.as<std::uint8_t>().data();
    std::uint8_t* to = z.mutableAs<std::uint8_t>().data();
    eachRun(*broadcast, [&](std::int64_t a, std::int64_t b, std::int64_t at, Broadcast::Axis axis) {
        for (std::int64_t i = 0; i < axis.size; ++i)
            to[at + i] =
                std::uint8_t(op(xs[from[a + i * axis.xStep]], ys[with[b + i * axis.yStep]]));
    });
    return Done{};
}

// Both operands converted to one scale, with `bits` fractional bits.
struct Aligned {
    Table x{};
    Table y{};
    double twiceLarger = 0;

    Aligned(const KernelContext& context, const Operands2& operands, int bits)
        : twiceLarger(2 * std::max(operands.x.scale, operands.y.scale))
    {
        const auto align = [&](std::size_t slot, CodeScale scale) {
            const FixedFactor factor = FixedFactor::of(scale.scale / twiceLarger);
            return tableOf(context.input(slot).dtype(), scale,
                           [&](std::int32_t value) { return times(value * (1 << bits), factor); });
        };
        x = align(0, operands.x);
        y = align(1, operands.y);
    }
};

template <class Op>
Status runAligned(KernelContext& context, int bits, int power, const Op& op)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    const DType dtype = context.input(0).dtype();
    const CodeBounds bounds = activatedBounds(context, dtype, out);
    const Aligned aligned(context, operands, bits);
    const double unit =
        power == 2 ? aligned.twiceLarger * aligned.twiceLarger : aligned.twiceLarger;
    const FixedFactor factor =
        FixedFactor::of(unit / double(float(1 << (bits * power)) * out.scale));
    return combine(context, dtype, aligned.x, aligned.y, [&](std::int32_t a, std::int32_t b) {
        return bounds.held(times(op(a, b), factor) + out.zero);
    });
}

constexpr int sumBits = 20;

Status runAdd(KernelContext& context)
{
    return runAligned(context, sumBits, 1, wrappingSum);
}

Status runSub(KernelContext& context)
{
    return runAligned(context, sumBits, 1, [](std::int32_t a, std::int32_t b) { return a - b; });
}

Status runSquaredDifference(KernelContext& context)
{
    constexpr int bits = 7;
    return runAligned(context, bits, 2,
                      [](std::int32_t a, std::int32_t b) { return wrappingProduct(a - b, a - b); });
}

std::int32_t same(std::int32_t value)
{
    return value;
}

Status runMul(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    const DType dtype = context.input(0).dtype();
    const CodeBounds bounds = activatedBounds(context, dtype, out);
    const float unit = operands.x.scale * operands.y.scale;
    const FixedFactor factor = FixedFactor::of(unit / out.scale);
    return combine(context, dtype, tableOf(dtype, operands.x, same),
                   tableOf(dtype, operands.y, same), [&](std::int32_t a, std::int32_t b) {
                       return bounds.held(times(a * b, factor) + out.zero);
                   });
}

// Returns a / b, by the reciprocal of b and as many bits of a as fit.
std::int32_t quotient(std::int32_t a, std::int32_t b, FixedFactor factor)
{
    if (b < 0) {
        a = -a;
        b = -b;
    }
    const FixedFactor inverse = reciprocal(b);
    const int room = std::countl_zero(std::uint32_t(a >= 0 ? a : -2 * a - 1)) - (a >= 0 ? 1 : 0);
    const std::int32_t unscaled = times(a, {inverse.value, room});
    constexpr int least = -31;
    const int shift = factor.shift + inverse.shift - room;
    return shift < least ? 0 : times(unscaled, {factor.value, std::min(shift, 30)});
}

Status runDiv(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    const DType dtype = context.input(0).dtype();
    const CodeBounds bounds = activatedBounds(context, dtype, out);
    const FixedFactor factor = FixedFactor::of(operands.x.scale / (operands.y.scale * out.scale));
    const std::span<const std::uint8_t> divisors = context.input(1).as<std::uint8_t>();
    const Table ys = tableOf(dtype, operands.y, same);
    if (std::ranges::any_of(divisors, [&](std::uint8_t code) { return ys[code] == 0; }))
        return context.error("divides by zero");
    return combine(context, dtype, tableOf(dtype, operands.x, same), ys,
                   [&](std::int32_t a, std::int32_t b) {
                       return bounds.held(quotient(a, b, factor) + out.zero);
                   });
}

// Computes x if it is positive, else x times the slope y.
Status runPrelu(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    const DType dtype = context.input(0).dtype();
    const CodeBounds bounds = CodeBounds::of(dtype);
    const FixedFactor kept = FixedFactor::of(operands.x.scale / out.scale);
    const float unit = operands.x.scale * operands.y.scale;
    const FixedFactor sloped = FixedFactor::of(unit / out.scale);
    return combine(context, dtype, tableOf(dtype, operands.x, same),
                   tableOf(dtype, operands.y, same), [&](std::int32_t a, std::int32_t b) {
                       const std::int32_t made = a >= 0 ? times(a, kept) : times(a * b, sloped);
                       return bounds.held(made + out.zero);
                   });
}

// Compares the numbers with 8 fractional bits, so that very close ones are equal.
template <class Op>
Status compare(KernelContext& context, const Op& op)
{
    ASSIGN_OR_RETURN(const auto operands, operandsOf(context));
    constexpr int bits = 8;
    const auto scaled = [&](std::size_t slot, CodeScale scale) {
        const FixedFactor factor = FixedFactor::of(scale.scale);
        return tableOf(context.input(slot).dtype(), scale,
                       [&](std::int32_t value) { return times(value * (1 << bits), factor); });
    };
    return combine(context, DType::Bool, scaled(0, operands.x), scaled(1, operands.y), op);
}

Status runEqual(KernelContext& context)
{
    return compare(context, std::equal_to());
}

Status runNotEqual(KernelContext& context)
{
    return compare(context, std::not_equal_to());
}

Status runLess(KernelContext& context)
{
    return compare(context, std::less());
}

Status runLessEqual(KernelContext& context)
{
    return compare(context, std::less_equal());
}

Status runGreater(KernelContext& context)
{
    return compare(context, std::greater());
}

Status runGreaterEqual(KernelContext& context)
{
    return compare(context, std::greater_equal());
}

} // namespace

LAPIDARY_KERNEL(_Tflite_ADD, runAdd);
LAPIDARY_KERNEL(_Tflite_DIV, runDiv);
LAPIDARY_KERNEL(_Tflite_EQUAL, runEqual);
LAPIDARY_KERNEL(_Tflite_GREATER, runGreater);
LAPIDARY_KERNEL(_Tflite_GREATER_EQUAL, runGreaterEqual);
LAPIDARY_KERNEL(_Tflite_LESS, runLess);
LAPIDARY_KERNEL(_Tflite_LESS_EQUAL, runLessEqual);
LAPIDARY_KERNEL(_Tflite_MUL, runMul);
LAPIDARY_KERNEL(_Tflite_NOT_EQUAL, runNotEqual);
LAPIDARY_KERNEL(_Tflite_PRELU, runPrelu);
LAPIDARY_KERNEL(_Tflite_SQUARED_DIFFERENCE, runSquaredDifference);
LAPIDARY_KERNEL(_Tflite_SUB, runSub);

} // namespace lapidary
