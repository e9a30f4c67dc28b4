// SPDX-License-Identifier: Apache-2.0
// Hue, saturation and the HSV color space.
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

// Hue, saturation and value, each 0 to 1, of red, green and blue, and back: the hexcone model.
template <class T>
std::array<T, 3> hsvOf(const T* rgb)
{
    const auto [r, g, b] = std::array{rgb[0], rgb[1], rgb[2]};
    const T value = std::max(r, std::max(g, b));
    const T range = value - std::min(r, std::min(g, b));
    const T saturation = value > T(0) ? range / value : T(0);
    const T norm = T(1) / (T(6) * range);
    T hue = T(0);
    if (!(range > T(0)))
        return {hue, saturation, value};
    if (r == value)
        hue = norm * (g - b);
    else if (g == value)
        hue = norm * (b - r) + T(2) / T(6);
    else
        hue = norm * (r - g) + T(4) / T(6);
    return {hue < T(0) ? hue + T(1) : hue, saturation, value};
}

template <class T>
std::array<T, 3> rgbOf(const T* hsv)
{
    const T hue = hsv[0] * T(6);
    const T saturation = hsv[1];
    const T value = hsv[2];
    const auto channel = [&](T strength) {
        return (std::clamp(strength, T(0), T(1)) - T(1)) * saturation * value + value;
    };
    return {channel(std::abs(hue - T(3)) - T(1)), channel(T(2) - std::abs(hue - T(2))),
            channel(T(2) - std::abs(hue - T(4)))};
}

// Output 0: input 0 with `change` applied to each pixel of three channels. `change` takes a pointer
// to three numbers and returns three.
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

// Empty where images have three channels and at least `rank` dimensions.
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

// AdjustHue: turns the hue by `delta`, where 1 is once around. Value and range stay as they are.
Status runAdjustHue(KernelContext& context)
{
    const std::string fault = colorFault(context.input(0), 3);
    if (!fault.empty())
        return context.error(fault);
    if (context.input(0).dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    ASSIGN_OR_RETURN(const auto delta, factorInput(context, "delta"));
    return changePixels<float>(context, [turn = delta](const float* rgb) {
        std::array<float, 3> hsv = hsvOf(rgb);
        hsv[0] += turn - std::floor(hsv[0] + turn);
        return rgbOf(hsv.data());
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

// AdjustContrastv2: (x - mean) * factor + mean, where the mean is that of each channel of each
// image.
// Channel `c` of one image.
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
