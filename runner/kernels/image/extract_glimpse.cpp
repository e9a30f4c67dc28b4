// SPDX-License-Identifier: Apache-2.0
// ExtractGlimpse: a window of each picture, around a point (y, x) that is a fraction of the picture
// (normalized) or in pixels, from its center (centered, in halves) or its first pixel. Beyond the
// border there is noise: uniform between the picture's extremes, normally distributed with its mean
// and deviation, or zeros.
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/philox.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

enum class GlimpseNoise : std::uint8_t { Uniform, Gaussian, Zero };

Result<GlimpseNoise> glimpseNoise(const KernelContext& context)
{
    const std::string_view name = context.stringAttr("noise", "uniform");
    const bool isUniform = context.boolAttr("uniform_noise", true);
    if (isUniform && !name.empty() && name != "uniform")
        return context.error("uniform_noise and noise \"" + std::string(name) +
                             "\" exclude each other");
    if (name.empty())
        return isUniform ? GlimpseNoise::Uniform : GlimpseNoise::Gaussian;
    if (name == "uniform")
        return GlimpseNoise::Uniform;
    if (name == "gaussian")
        return GlimpseNoise::Gaussian;
    if (name == "zero")
        return GlimpseNoise::Zero;
    return context.error("noise must be uniform, gaussian or zero, but is " + std::string(name));
}

// One axis of the window: its part inside of the picture, `count` pixels.
struct GlimpseAxis {
    std::int64_t first = 0; // index of the first one in the picture
    std::int64_t place = 0; // index of the first one in the window
    std::int64_t count = 0;

    static GlimpseAxis of(float offset, std::int64_t size, std::int64_t window,
                          const KernelContext& context)
    {
        if (context.boolAttr("normalized", true))
            offset *= float(size);
        if (context.boolAttr("centered", true))
            offset = offset / 2 + float(size) / 2;
        offset -= float(window) / 2;
        constexpr float most = 1e9F; // beyond it the window is outside of the picture
        const auto begin =
            std::isnan(offset) ? -window : std::int64_t(std::clamp(offset, -most, most));
        GlimpseAxis axis{.first = std::max<std::int64_t>(begin, 0), .place = 0, .count = 0};
        axis.place = axis.first - begin;
        axis.count = std::max<std::int64_t>(std::min(begin + window, size) - axis.first, 0);
        return axis;
    }
};

float noiseOf(GlimpseNoise kind, std::span<const float> picture, PhiloxWords& words, float low,
              float high)
{
    if (kind == GlimpseNoise::Zero || picture.empty())
        return 0;
    if (kind == GlimpseNoise::Uniform)
        return low + unitFloat(words.next()) * (high - low);
    const std::uint32_t first = words.next();
    return low + high * normalPair(first, words.next())[0];
}

// Returns the parameters of the noise: least and largest element, or mean and deviation.
std::pair<float, float> noiseRange(GlimpseNoise kind, std::span<const float> picture)
{
    if (kind == GlimpseNoise::Zero || picture.empty())
        return {0, 0};
    if (kind == GlimpseNoise::Uniform) {
        const auto [low, high] = std::ranges::minmax_element(picture);
        return {*low, *high};
    }
    double sum = 0;
    for (const float x : picture)
        sum += x;
    const double mean = sum / double(picture.size());
    double squares = 0;
    for (const float x : picture)
        squares += (x - mean) * (x - mean);
    return {float(mean), float(std::sqrt(squares / double(picture.size())))};
}

struct GlimpseWindow {
    std::int64_t height = 0;
    std::int64_t width = 0;
};

Result<GlimpseWindow> glimpseWindow(const KernelContext& context)
{
    const Value& size = context.input(1);
    const Value& offsets = context.input(2);
    if (size.elements() != 2)
        return context.error("size must be height and width, but its shape is " +
                             dimsText(size.dims()));
    if (offsets.dim(0) != context.input(0).dim(0) || offsets.dim(1) != 2)
        return context.error("offsets must have y and x for each of " +
                             std::to_string(context.input(0).dim(0)) +
                             " pictures, but their shape is " + dimsText(offsets.dims()));
    const GlimpseWindow window{size.as<std::int32_t>()[0], size.as<std::int32_t>()[1]};
    if (window.height <= 0 || window.width <= 0)
        return context.error("height and width of the glimpse must be positive, but are " +
                             std::to_string(window.height) + " and " +
                             std::to_string(window.width));
    return window;
}

Status runExtractGlimpse(KernelContext& context)
{
    const Value& input = context.input(0);
    ASSIGN_OR_RETURN(const auto noise, glimpseNoise(context));
    ASSIGN_OR_RETURN(const auto window, glimpseWindow(context));
    const std::int64_t channels = input.dim(3);
    ASSIGN_OR_RETURN(
        auto out,
        context.makeOutput(0, DType::Float, {input.dim(0), window.height, window.width, channels}));
    if (out.elements() == 0)
        return Done{};
    const std::int64_t each = input.elements() / input.dim(0);
    const std::int64_t glimpse = window.height * window.width * channels;
    const auto offsets = context.input(2).as<float>();
    Philox& generator = nodeGenerator(context);
    PhiloxWords words(generator);
    generator.skip(std::uint64_t(out.elements())); // at least as many as are drawn
    for (std::int64_t n = 0; n < input.dim(0); ++n) {
        const auto picture = input.as<float>().subspan(std::size_t(n * each), std::size_t(each));
        const auto to =
            out.mutableAs<float>().subspan(std::size_t(n * glimpse), std::size_t(glimpse));
        const auto rows =
            GlimpseAxis::of(offsets[std::size_t(2 * n)], input.dim(1), window.height, context);
        const auto columns =
            GlimpseAxis::of(offsets[std::size_t(2 * n + 1)], input.dim(2), window.width, context);
        if (rows.count < window.height || columns.count < window.width) {
            const auto [low, high] = noiseRange(noise, picture);
            for (float& x : to) {
                if (context.job().cancelled())
                    return cancelledError();
                x = noiseOf(noise, picture, words, low, high);
            }
        }
        for (std::int64_t row = 0; row < rows.count && columns.count > 0; ++row)
            std::copy_n(picture.data() +
                            ((rows.first + row) * input.dim(2) + columns.first) * channels,
                        columns.count * channels,
                        to.data() + ((rows.place + row) * window.width + columns.place) * channels);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ExtractGlimpse, runExtractGlimpse,
                .ranks = {Rank::Four, Rank::Vector, Rank::Matrix});

} // namespace lapidary
