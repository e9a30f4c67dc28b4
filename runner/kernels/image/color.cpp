// SPDX-License-Identifier: Apache-2.0
// Hue, saturation and the HSV color space.
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

// Returns the hue of red, green and blue in the hexcone model, 0 to 1; 0 for gray.
template <class T>
T hueOf(const T* rgb)
{
    const auto [r, g, b] = std::array{rgb[0], rgb[1], rgb[2]};
    const T value = std::max(r, std::max(g, b));
    const T range = value - std::min(r, std::min(g, b));
    if (!(range > T(0)))
        return T(0);
    const T norm = T(1) / (T(6) * range);
    T hue = norm * (r - g) + T(4) / T(6);
    if (r == value)
        hue = norm * (g - b);
    else if (g == value)
        hue = norm * (b - r) + T(2) / T(6);
    return hue < T(0) ? hue + T(1) : hue;
}

// Returns the positions of red, green and blue between the smallest channel (0) and the largest
// (1), for a hue of 0 to 6.
template <class T>
std::array<T, 3> sharesOf(T hue)
{
    const auto share = [](T strength) { return std::clamp(strength, T(0), T(1)); };
    return {share(std::abs(hue - T(3)) - T(1)), share(T(2) - std::abs(hue - T(2))),
            share(T(2) - std::abs(hue - T(4)))};
}

// Convert red, green and blue to hue, saturation and value, each 0 to 1, and back.
template <class T>
std::array<T, 3> hsvOf(const T* rgb)
{
    const T value = std::max(rgb[0], std::max(rgb[1], rgb[2]));
    const T range = value - std::min(rgb[0], std::min(rgb[1], rgb[2]));
    return {hueOf(rgb), value > T(0) ? range / value : T(0), value};
}

template <class T>
std::array<T, 3> rgbOf(const T* hsv)
{
    const auto [hue, saturation, value] = std::array{hsv[0], hsv[1], hsv[2]};
    std::array<T, 3> channels = sharesOf(hue * T(6));
    for (T& channel : channels)
        channel = (channel - T(1)) * saturation * value + value;
    return channels;
}

// Sets output 0 to input 0 with `change` applied to each pixel of three channels. `change` takes a
// pointer to three numbers and returns three.
template <class T, class Change>
Status changePixels(KernelContext& context, const Change& change)
{
    const Value& images = context.input(0);
    ASSIGN_OR_RETURN(auto out, context.allocate(images.dtype(), images.dims()));
    const auto from = images.as<T>();
    const auto to = out.template mutableAs<T>();
    constexpr std::size_t eachLook = 3 << 16;
    for (std::size_t i = 0; i + 3 <= from.size(); i += 3) {
        if (i % eachLook == 0 && context.job().cancelled())
            return cancelledError();
        const std::array<T, 3> changed = change(from.data() + i);
        std::copy(changed.begin(), changed.end(), to.data() + i);
    }
    return context.setOutput(0, std::move(out));
}

// Returns what is wrong unless images have three channels and at least `rank` dimensions; else an
// empty text.
std::string colorFault(const Value& images, int rank)
{
    if (images.rank() < rank)
        return "input must be at least " + std::to_string(rank) + "-D, got shape " +
               dimsText(images.dims());
    if (images.dims().back() != 3)
        return "input must have 3 channels, got shape " + dimsText(images.dims());
    return {};
}

Result<float> factorInput(const KernelContext& context, std::string_view name)
{
    const Value& factor = context.input(1);
    if (!factor.isScalar())
        return context.error(std::string(name) + " must be scalar, got shape " +
                             dimsText(factor.dims()));
    return factor.as<float>()[0];
}

// RGBToHSV: the last dimension holds red, green and blue.
Status runRGBToHSV(KernelContext& context)
{
    const std::string fault = colorFault(context.input(0), 1);
    if (!fault.empty())
        return context.error(fault);
    switch (context.input(0).dtype()) {
    case DType::Float: return changePixels<float>(context, hsvOf<float>);
    case DType::Double: return changePixels<double>(context, hsvOf<double>);
    default: return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    }
}

// HSVToRGB: the last dimension holds hue, saturation and value.
Status runHSVToRGB(KernelContext& context)
{
    const std::string fault = colorFault(context.input(0), 1);
    if (!fault.empty())
        return context.error(fault);
    switch (context.input(0).dtype()) {
    case DType::Float: return changePixels<float>(context, rgbOf<float>);
    case DType::Double: return changePixels<double>(context, rgbOf<double>);
    default: return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    }
}

// AdjustHue: turns the hue by `delta`, where 1 is a full turn. The smallest and the largest channel
// keep their values, also if these are negative or there is no saturation.
Status runAdjustHue(KernelContext& context)
{
    const std::string fault = colorFault(context.input(0), 3);
    if (!fault.empty())
        return context.error(fault);
    if (context.input(0).dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    ASSIGN_OR_RETURN(const auto delta, factorInput(context, "delta"));
    return changePixels<float>(context, [turn = delta](const float* rgb) {
        const auto [low, high] = std::minmax({rgb[0], rgb[1], rgb[2]});
        const float hue = hueOf(rgb) + turn;
        const std::array<float, 3> shares = sharesOf((hue - std::floor(hue)) * 6.0F);
        std::array<float, 3> turned{};
        for (std::size_t i = 0; i < 3; ++i)
            turned[i] = low + shares[i] * (high - low);
        return turned;
    });
}

// AdjustSaturation: multiplies the saturation by `scale` and keeps it between 0 and 1.
Status runAdjustSaturation(KernelContext& context)
{
    const std::string fault = colorFault(context.input(0), 3);
    if (!fault.empty())
        return context.error(fault);
    if (context.input(0).dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    ASSIGN_OR_RETURN(const auto scale, factorInput(context, "scale"));
    return changePixels<float>(context, [factor = scale](const float* rgb) {
        std::array<float, 3> hsv = hsvOf(rgb);
        hsv[1] = std::clamp(hsv[1] * factor, 0.0F, 1.0F);
        return rgbOf(hsv.data());
    });
}

// AdjustContrastv2: (x - mean) * factor + mean, with the mean of each channel of each image.
// Computes it for channel `c` of one image.
void adjustChannel(std::span<const float> from, std::span<float> to, std::size_t channels,
                   std::size_t c, float factor)
{
    const std::size_t count = from.size() / channels;
    double sum = 0;
    for (std::size_t i = c; i < from.size(); i += channels)
        sum += double(from[i]);
    const auto mean = float(sum / double(count));
    for (std::size_t i = c; i < from.size(); i += channels)
        to[i] = (from[i] - mean) * factor + mean;
}

Status runAdjustContrastv2(KernelContext& context)
{
    const Value& images = context.input(0);
    if (images.rank() < 3)
        return context.error("input must be at least 3-D, got shape " + dimsText(images.dims()));
    if (images.dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(images.dtype()));
    ASSIGN_OR_RETURN(const auto factor, factorInput(context, "contrast_factor"));
    ASSIGN_OR_RETURN(auto out, context.allocate(DType::Float, images.dims()));
    if (images.elements() > 0) {
        const int rank = images.rank();
        const auto channels = std::size_t(images.dim(rank - 1));
        const auto each =
            std::size_t(images.dim(rank - 3)) * std::size_t(images.dim(rank - 2)) * channels;
        const auto from = images.as<float>();
        const auto to = out.mutableAs<float>();
        for (std::size_t start = 0; start < from.size(); start += each) {
            for (std::size_t c = 0; c < channels; ++c) {
                if (context.job().cancelled())
                    return cancelledError();
                adjustChannel(from.subspan(start, each), to.subspan(start, each), channels, c,
                              factor);
            }
        }
    }
    return context.setOutput(0, std::move(out));
}

} // namespace

LAPIDARY_KERNEL(RGBToHSV, runRGBToHSV);
LAPIDARY_KERNEL(HSVToRGB, runHSVToRGB);
LAPIDARY_KERNEL(AdjustContrastv2, runAdjustContrastv2);
LAPIDARY_KERNEL(AdjustHue, runAdjustHue);
LAPIDARY_KERNEL(AdjustSaturation, runAdjustSaturation);

} // namespace lapidary
