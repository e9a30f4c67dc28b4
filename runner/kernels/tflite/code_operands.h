// SPDX-License-Identifier: Apache-2.0
// Shared parts of the kernels for the codes of TFLite files, which agree with TFLite's reference
// kernels bit for bit. Their nodes are made when such a file is lifted; the attributes are those of
// the operator and the scales of the operands.
#pragma once

#include "graph_model/graph/stored_scales.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"
#include "runner/kernels/tflite/fixed_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace lapidary {

using Codes = TypeList<std::int8_t, std::uint8_t>;

// A code represents scale * (code - zero).
struct CodeScale {
    float scale = 1;
    std::int32_t zero = 0;
};

// The least and the largest code.
struct CodeBounds {
    std::int32_t low = 0;
    std::int32_t high = 0;

    static CodeBounds of(DType dtype);
    std::int32_t held(std::int32_t code) const { return std::clamp(code, low, high); }
};

// `operand` is "in0", "in1" or "out". Fails if the file gives no scale, or one that is not
// positive.
Result<CodeScale> codeScale(const KernelContext& context, std::string_view operand);
// Returns the scales of weights, which may have one for each of their output channels.
Result<std::vector<float>> weightScales(const KernelContext& context, std::string_view operand,
                                        std::int64_t channels);
// Returns the scales and zero points, of which there may be one for each channel. Fails if the file
// gives none, or a zero point that is not a code.
Result<StoredScales> channelScales(const KernelContext& context, std::string_view operand);
// Returns the bounds of the codes after the operator's activation.
CodeBounds activatedBounds(const KernelContext& context, DType dtype, CodeScale out);
// Fails if there are fewer than `inputs` inputs, or if one of these slots does not hold codes.
Status checkCodes(const KernelContext& context, std::size_t inputs,
                  std::initializer_list<std::size_t> slots);

// Returns each code minus the zero point.
Result<Scratch<std::int16_t>> centeredCodes(const KernelContext& context, const Value& codes,
                                            std::int32_t zero);
// Returns the sum of the products of two rows.
std::int32_t dotProduct(const std::int16_t* a, const std::int16_t* b, std::int64_t count);

// Returns the nearest code of a real number; it may be outside of the bounds of codes.
inline std::int32_t codeOf(float real, CodeScale scale)
{
    const float scaled = std::round(real / scale.scale);
    constexpr float most = 1 << 24;
    return std::int32_t(std::isnan(scaled) ? -most : std::clamp(scaled, -most, most)) + scale.zero;
}

// Sets output 0 to made(code) for each code of input 0, clamped to the codes of `dtype`.
template <class Made>
Status mapCodes(KernelContext& context, DType dtype, const Made& made)
{
    const Value& x = context.input(0);
    const CodeBounds from = CodeBounds::of(x.dtype());
    const CodeBounds to = CodeBounds::of(dtype);
    std::array<std::uint8_t, 256> table{};
    for (std::int32_t code = from.low; code <= from.high; ++code)
        table[std::uint8_t(code)] = std::uint8_t(to.held(made(code)));
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, dtype, x.dims()));
    std::ranges::transform(x.as<std::uint8_t>(), y.mutableAs<std::uint8_t>().begin(),
                           [&](std::uint8_t code) { return table[code]; });
    return Done{};
}

} // namespace lapidary
