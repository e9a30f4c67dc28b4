// SPDX-License-Identifier: Apache-2.0
// QuantizedInstanceNorm: scales each channel of each picture to mean 0 and variance 1 (spec:
// kernels, B16).
//   v = s * (q - mean) / sqrt(var + epsilon);  s = (max - min) / 255
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/elements.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/scratch.h"

namespace lapidary {
namespace {

struct Given {
    bool isGiven = false;
    CodeRange range;
    float epsilon = 1e-5F;
    float separation = 1e-3F;
};

Result<Given> givenOf(const KernelContext& context)
{
    Given given{.isGiven = context.boolAttr("output_range_given"),
                .range = {context.floatAttr("given_y_min"), context.floatAttr("given_y_max")},
                .epsilon = context.floatAttr("variance_epsilon", 1e-5F),
                .separation = context.floatAttr("min_separation", 1e-3F)};
    if (given.isGiven && !(given.range.min < given.range.max))
        return context.error("given_y_min must be less than given_y_max, but they are " +
                             std::to_string(given.range.min) + " and " +
                             std::to_string(given.range.max));
    return given;
}

// One picture of rows x columns x channels.
struct Picture {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t channels = 0;

    std::size_t size() const { return rows * columns * channels; }
};

// means[c] = mean over the pixels of term(element, c). Adds in floats, column by column, as
// TensorFlow does: a number half way between two codes depends on the last bit.
template <class Term>
void meanOfPixels(const Picture& picture, std::span<float> means, const Term& term)
{
    std::ranges::fill(means, 0.0F);
    for (std::size_t column = 0; column < picture.columns; ++column)
        for (std::size_t row = 0; row < picture.rows; ++row) {
            const std::size_t at = (row * picture.columns + column) * picture.channels;
            for (std::size_t c = 0; c < picture.channels; ++c)
                means[c] += term(at + c, c);
        }
    const auto pixels = float(picture.rows * picture.columns);
    for (float& mean : means)
        mean /= pixels;
}

// Buffers of one number for each channel.
struct ChannelBuffers {
    std::span<float> means;
    std::span<float> deviations;
};

void normalize(std::span<const std::uint8_t> codes, const Picture& picture, float scale,
               float epsilon, const ChannelBuffers& buffers, std::span<float> out)
{
    const auto [means, deviations] = buffers;
    meanOfPixels(picture, means, [&](std::size_t i, std::size_t) { return float(codes[i]); });
    meanOfPixels(picture, deviations, [&, means = means](std::size_t i, std::size_t c) {
        const float off = scale * (float(codes[i]) - means[c]);
        return off * off;
    });
    for (float& deviation : deviations)
        deviation = 1.0F / std::sqrt(deviation + epsilon);
    for (std::size_t at = 0; at < codes.size(); at += picture.channels)
        for (std::size_t c = 0; c < picture.channels; ++c)
            out[at + c] = scale * (float(codes[at + c]) - means[c]) * deviations[c];
}

CodeRange rangeOfValues(std::span<const float> values)
{
    CodeRange range{std::numeric_limits<float>::infinity(),
                    -std::numeric_limits<float>::infinity()};
    for (const float value : values) {
        range.min = std::min(range.min, value);
        range.max = std::max(range.max, value);
    }
    return range;
}

Status normalizeAll(const KernelContext& context, CodeRange from, float epsilon,
                    std::span<float> out)
{
    const Value& x = context.input(0);
    const Picture picture{std::size_t(x.dim(1)), std::size_t(x.dim(2)), std::size_t(x.dim(3))};
    ASSIGN_OR_RETURN(auto room, Scratch<float>::make(context.session().pool, 2 * x.dim(3)));
    const ChannelBuffers buffers{room.all().first(picture.channels),
                                 room.all().last(picture.channels)};
    const float scale = (from.max - from.min) / 255.0F;
    for (std::size_t at = 0; at < out.size(); at += picture.size()) {
        if (context.job().cancelled())
            return cancelledError();
        normalize(x.as<std::uint8_t>().subspan(at, picture.size()), picture, scale, epsilon,
                  buffers, out.subspan(at, picture.size()));
    }
    return Done{};
}

Status runQuantizedInstanceNorm(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto given, givenOf(context));
    const Value& x = context.input(0);
    if (x.rank() != 4 || x.elements() == 0)
        return context.error("the input must be 4-dimensional and not empty, but is " +
                             dimsText(x.dims()));
    ASSIGN_OR_RETURN(const auto from, growingRangeOf(context, 1, "input"));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QUInt8, x.dims()));
    ASSIGN_OR_RETURN(auto values, Scratch<float>::make(context.session().pool, x.elements()));
    if (const Status done = normalizeAll(context, from, given.epsilon, values.all()); !done)
        return done;
    const std::span<const float> all = values.all();
    CodeRange to = given.isGiven ? given.range : rangeOfValues(all);
    if (to.max - to.min < given.separation)
        to.max = to.min + given.separation;
    mapCodes(context, all, out.mutableAs<std::uint8_t>(), Code<std::uint8_t>(to));
    return setRange(context, to);
}

} // namespace

LAPIDARY_KERNEL(QuantizedInstanceNorm, runQuantizedInstanceNorm);

} // namespace lapidary
