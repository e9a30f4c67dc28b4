// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tflite/code_products.h"

namespace lapidary {
namespace {

std::string operandName(std::size_t slot)
{
    return "in" + std::to_string(slot);
}

Result<std::span<const std::int32_t>> biasOf(const KernelContext& context, std::size_t slot,
                                             std::int64_t channels)
{
    if (context.inputCount() <= slot)
        return std::span<const std::int32_t>();
    const Value& bias = context.input(slot);
    if (bias.dtype() != DType::Int32 || bias.elements() != channels)
        return context.error("the bias must be " + std::to_string(channels) +
                             " numbers of int32, but is " + dtypeName(bias.dtype()) + " of shape " +
                             dimsText(bias.dims()));
    return bias.as<std::int32_t>();
}

} // namespace

Result<CodeLayer> CodeLayer::of(const KernelContext& context, LayerSlots slots,
                                std::int64_t channels, LayerKind kind)
{
    const DType dtype = context.input(slots.data).dtype();
    ASSIGN_OR_RETURN(const auto in, codeScale(context, operandName(slots.data)));
    ASSIGN_OR_RETURN(const auto weights, codeScale(context, operandName(slots.weights)));
    ASSIGN_OR_RETURN(const auto scales,
                     weightScales(context, operandName(slots.weights), channels));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    ASSIGN_OR_RETURN(const auto bias, biasOf(context, slots.bias, channels));
    const bool isSigned = dtype == DType::Int8;
    const bool hasZero = (!isSigned || kind != LayerKind::Convolution) && scales.size() == 1;
    ASSIGN_OR_RETURN(auto data, centeredCodes(context, context.input(slots.data), in.zero));
    ASSIGN_OR_RETURN(auto filter, centeredCodes(context, context.input(slots.weights),
                                                hasZero ? weights.zero : 0));
    CodeLayer layer(std::move(data), std::move(filter));
    const bool isDouble = isSigned && kind != LayerKind::Product;
    for (const float scale : scales) {
        const double unit = isDouble ? double(in.scale) * double(scale) : double(in.scale * scale);
        layer.m_units.push_back(unit / double(out.scale));
        layer.m_factors.push_back(FixedFactor::of(layer.m_units.back()));
    }
    layer.m_isReal = kind == LayerKind::Dense;
    layer.m_bias = bias;
    layer.m_bounds = activatedBounds(context, dtype, out);
    layer.m_zero = out.zero;
    layer.m_dtype = dtype;
    return layer;
}

} // namespace lapidary
