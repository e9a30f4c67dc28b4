// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/fused_biases.h"

#include "runner/kernels/quantized/ranges.h"

#include <algorithm>
#include <string>

namespace lapidary {

Result<FusedBiases> FusedBiases::of(const KernelContext& context, std::size_t bias,
                                    std::size_t range, CodeRange x, std::int64_t channels)
{
    const Value& codes = context.input(bias);
    if (!codes.isVector() || codes.elements() != channels)
        return context.error("the bias must be a vector of " + std::to_string(channels) +
                             " elements, but is " + dimsText(codes.dims()));
    ASSIGN_OR_RETURN(const auto own, rangeOf(context, range));
    FusedBiases biases{.x = x, .sum = biasSumRange(x, own)};
    biases.table = movedTable<std::uint8_t>(x, biases.sum);
    biases.added = movedBiases(codes.as<std::uint8_t>(), own, biases.sum);
    return biases;
}

bool FusedBiases::isMonotone() const
{
    constexpr std::int32_t large = 1 << 30;
    const auto isSmall = [](int8::Range32 codes) {
        return codes.least > -large && codes.most < large;
    };
    bool falls = false; // checks all codes, which is faster than stopping early
    for (std::size_t code = 1; code < table.size(); ++code)
        falls |= table[code] < table[code - 1];
    return !falls && isSmall({table.front(), table.back()}) && isSmall(int8::rangeOfFew(added));
}

int8::Range32 FusedBiases::sumsOf(std::span<const std::uint8_t> least,
                                  std::span<const std::uint8_t> most) const
{
    std::int32_t low = std::numeric_limits<std::int32_t>::max();
    std::int32_t high = std::numeric_limits<std::int32_t>::lowest();
    for (std::size_t c = 0; c < added.size(); ++c) {
        low = std::min(low, sumOf(least[c], c));
        high = std::max(high, sumOf(most[c], c));
    }
    return {low, high};
}

int8::Shift FusedBiases::shift() const
{
    const Real<std::uint8_t> real(x);
    const Code<std::int32_t> code(sum);
    return {real.bias(), real.step(), code.scale(), code.offset(), table};
}

} // namespace lapidary
