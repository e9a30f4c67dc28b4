#pragma once

#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {

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
    auto out = context.allocate(images.dtype(), images.dims());
    if (!out)
        return out.error();
    const auto from = images.as<T>();
    const auto to = out.value().template mutableAs<T>();
    constexpr std::size_t eachLook = 3 << 16;
    for (std::size_t i = 0; i + 3 <= from.size(); i += 3) {
        if (i % eachLook == 0 && context.job().cancelled())
            return Error{ErrorCode::Cancelled, "stopped"};
        const std::array<T, 3> changed = change(from.data() + i);
        std::copy(changed.begin(), changed.end(), to.data() + i);
    }
    return context.setOutput(0, std::move(out).value());
}

// Empty where images have at least `rank` dimensions and three channels.
std::string colourFault(const Value& images, int rank);
// Input 1, a scalar float.
Result<float> factorInput(const KernelContext& context, std::string_view name);

} // namespace lapidary
