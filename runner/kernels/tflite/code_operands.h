// SPDX-License-Identifier: Apache-2.0
// Functions shared by the kernels for the codes of TFLite files, which agree with TFLite's
// reference kernels bit for bit. Their nodes are made when such a file is lifted; the attributes
// are the operator's own, and the scales of the operands.
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
// Returns scales and zero points, of which there may be one for each channel. Fails if the file
// gives none, or a zero point that is not a code.
Result<StoredScales> channelScales(const KernelContext& context, std::string_view operand);
// The codes that the operator's activation leaves.
CodeBounds activatedBounds(const KernelContext& context, DType dtype, CodeScale out);
// An error where there are fewer inputs, or one of these slots holds no codes.
Status checkCodes(const KernelContext& context, std::size_t inputs,
                  std::initializer_list<std::size_t> slots);

// Each code minus the zero point.
Result<Scratch<std::int16_t>> centeredCodes(const KernelContext& context, const Value& codes,
                                            std::int32_t zero);
// The sum of the products of two rows.
std::int32_t dotProduct(const std::int16_t* a, const std::int16_t* b, std::int64_t count);

// scale * (code - zero) of the output; what rounds to it.
inline std::int32_t codeOf(float real, CodeScale scale)
{
    const float scaled = std::round(real / scale.scale);
    constexpr float most = 1 << 24;
    return std::int32_t(std::isnan(scaled) ? -most : std::clamp(scaled, -most, most)) + scale.zero;
}

// Output 0: made(code) of each code of input 0, held within the codes of `dtype`.
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
