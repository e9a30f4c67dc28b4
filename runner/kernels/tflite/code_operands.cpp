// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tflite/code_operands.h"

namespace lapidary {
namespace {

bool isScale(float scale)
{
    return std::isfinite(scale) && scale > 0;
}

bool isCode(DType dtype)
{
    return dtype == DType::Int8 || dtype == DType::UInt8;
}

Status checkZero(const KernelContext& context, std::string_view operand, std::int64_t zero)
{
    if (zero < -128 || zero > 255)
        return context.error("the zero point of " + std::string(operand) +
                             " is not a code: " + std::to_string(zero));
    return Done{};
}

} // namespace

CodeBounds CodeBounds::of(DType dtype)
{
    if (dtype == DType::Int16)
        return {-32768, 32767};
    return dtype == DType::UInt8 ? CodeBounds{0, 255} : CodeBounds{-128, 127};
}

Result<CodeScale> codeScale(const KernelContext& context, std::string_view operand)
{
    const auto stored = operandScales(context.node(), operand);
    if (!stored || !isScale(stored->scales[0]))
        return context.error("the scale of " + std::string(operand) + " must be a positive number");
    RETURN_IF_ERROR(checkZero(context, operand, stored->zeroPoints[0]));
    return CodeScale{stored->scales[0], std::int32_t(stored->zeroPoints[0])};
}

Result<StoredScales> channelScales(const KernelContext& context, std::string_view operand)
{
    auto stored = operandScales(context.node(), operand);
    if (!stored)
        return context.error("needs the scales of " + std::string(operand));
    for (const std::int64_t zero : stored->zeroPoints)
        RETURN_IF_ERROR(checkZero(context, operand, zero));
    return std::move(*stored);
}

Result<std::vector<float>> weightScales(const KernelContext& context, std::string_view operand,
                                        std::int64_t channels)
{
    const auto stored = operandScales(context.node(), operand);
    if (!stored || !std::ranges::all_of(stored->scales, isScale))
        return context.error("the scales of " + std::string(operand) + " must be positive numbers");
    if (stored->scales.size() != 1 && std::int64_t(stored->scales.size()) != channels)
        return context.error(std::string(operand) + " has " +
                             std::to_string(stored->scales.size()) + " scales for " +
                             std::to_string(channels) + " channels");
    return stored->scales;
}

CodeBounds activatedBounds(const KernelContext& context, DType dtype, CodeScale out)
{
    CodeBounds bounds = CodeBounds::of(dtype);
    const std::string_view activation = context.stringAttr("fused_activation_function");
    if (activation == "RELU" || activation == "RELU6")
        bounds.low = std::max(bounds.low, codeOf(0, out));
    if (activation == "RELU6")
        bounds.high = std::min(bounds.high, codeOf(6, out));
    if (activation == "RELU_N1_TO_1")
        bounds = {std::max(bounds.low, codeOf(-1, out)), std::min(bounds.high, codeOf(1, out))};
    bounds.low = std::min(bounds.low, bounds.high);
    return bounds;
}

Status checkCodes(const KernelContext& context, std::size_t inputs,
                  std::initializer_list<std::size_t> slots)
{
    if (context.inputCount() < inputs)
        return context.error("needs " + std::to_string(inputs) + " inputs, but has " +
                             std::to_string(context.inputCount()));
    for (const std::size_t slot : slots)
        if (!isCode(context.input(slot).dtype()) ||
            context.input(slot).dtype() != context.input(*slots.begin()).dtype())
            return context.error("input " + std::to_string(slot) +
                                 " must be codes of 8 bits, but its type is " +
                                 dtypeName(context.input(slot).dtype()));
    return Done{};
}

Result<Scratch<std::int16_t>> centeredCodes(const KernelContext& context, const Value& codes,
                                            std::int32_t zero)
{
    auto made = Scratch<std::int16_t>::make(context.session().pool, codes.elements());
    RETURN_IF_ERROR(made);
    dispatch(Codes(), codes.dtype(), [&](auto kind) {
        std::ranges::transform(codes.as<decltype(kind)>(), made->all().begin(),
                               [&](auto code) { return std::int16_t(code - zero); });
    });
    return made;
}

std::int32_t dotProduct(const std::int16_t* a, const std::int16_t* b, std::int64_t count)
{
    constexpr std::int64_t most = 1 << 13; // the sum of so many products cannot overflow
    std::int32_t total = 0;
    for (std::int64_t begin = 0; begin < count; begin += most) {
        const std::int64_t end = std::min(begin + most, count);
        std::int32_t sum = 0;
        for (std::int64_t i = begin; i < end; ++i)
            sum += std::int32_t(a[i]) * b[i];
        total = wrappingSum(total, sum);
    }
    return total;
}

} // namespace lapidary
