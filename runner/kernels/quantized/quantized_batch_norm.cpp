// SPDX-License-Identifier: Apache-2.0
// QuantizedBatchNormWithGlobalNormalization: a scale and an offset for each channel, both as int32
// codes of the range [-2^20, 2^20] (spec: kernels, B17).
//   out = code(x) * code(scale) / code(1) + code(offset), in int32, wrapping
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/threads/parallel_for.h"

#include <array>

namespace lapidary {
namespace {

constexpr CodeRange outRange{-1048576.0F, 1048576.0F};

// Returns input `at`, a vector of codes followed by its range, as real numbers.
Result<std::vector<float>> realsOf(const KernelContext& context, std::size_t at,
                                   std::string_view name)
{
    const Value& codes = context.input(at);
    const std::int64_t channels = context.input(0).dim(3);
    if (codes.dims() != Dims{channels})
        return context.error(std::string(name) + " must be a vector of " +
                             std::to_string(channels) + " elements, but is " +
                             dimsText(codes.dims()));
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, at + 1));
    std::vector<float> reals(std::size_t(channels), 0.0F);
    std::ranges::transform(codes.as<std::uint8_t>(), reals.begin(), ExactReal<std::uint8_t>(range));
    return reals;
}

struct Line {
    std::int32_t scale = 0;
    std::int32_t offset = 0;
};

Result<std::vector<Line>> linesOf(const KernelContext& context)
{
    std::array<std::vector<float>, 4> parts;
    constexpr std::string_view names[] = {"the mean", "the variance", "beta", "gamma"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        ASSIGN_OR_RETURN(auto reals, realsOf(context, 3 + 3 * i, names[i]));
        parts[i] = std::move(reals);
    }
    const float epsilon = context.floatAttr("variance_epsilon");
    const bool scales = context.boolAttr("scale_after_normalization");
    std::vector<Line> lines(parts[0].size());
    for (std::size_t c = 0; c < lines.size(); ++c) {
        float scale = 1.0F / std::sqrt(parts[1][c] + epsilon);
        if (scales)
            scale *= parts[3][c];
        const float offset = -parts[0][c] * scale + parts[2][c];
        lines[c] = {nearestCode<std::int32_t>(scale, outRange),
                    nearestCode<std::int32_t>(offset, outRange)};
    }
    return lines;
}

Status runQuantizedBatchNormWithGlobalNormalization(KernelContext& context)
{
    const Value& x = context.input(0);
    if (x.rank() != 4)
        return context.error("the input must be 4-dimensional, but is " + dimsText(x.dims()));
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, 1));
    ASSIGN_OR_RETURN(const auto lines, linesOf(context));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QInt32, x.dims()));
    std::array<std::int32_t, 256> moved{};
    for (std::size_t code = 0; code < moved.size(); ++code)
        moved[code] = movedCode<std::uint8_t, std::int32_t>(std::uint8_t(code), range, outRange);
    const std::int32_t one = nearestCode<std::int32_t>(1.0F, outRange);
    const auto channels = std::int64_t(lines.size());
    const std::uint8_t* from = x.as<std::uint8_t>().data();
    std::int32_t* to = out.mutableAs<std::int32_t>().data();
    const std::int64_t pixels = channels > 0 ? x.elements() / channels : 0;
    parallelFor(pixels, channels, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end && !context.job().cancelled(); ++p)
            for (std::int64_t c = 0; c < channels; ++c) {
                const Line& line = lines[std::size_t(c)];
                const std::int32_t scaled =
                    wrappingProduct32(moved[from[p * channels + c]], line.scale) / one;
                to[p * channels + c] = wrappingSum32(scaled, line.offset);
            }
    });
    return setRange(context, outRange);
}

} // namespace

LAPIDARY_KERNEL(QuantizedBatchNormWithGlobalNormalization,
                runQuantizedBatchNormWithGlobalNormalization);

} // namespace lapidary
