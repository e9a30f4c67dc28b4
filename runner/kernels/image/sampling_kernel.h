// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

namespace lapidary {

// The weight of a pixel at distance x >= 0 from the sampled position; 0 beyond the radius.
struct SamplingKernel {
    float radius;
    float (*weight)(float x);
};

template <int Radius>
float lanczosWeight(float x)
{
    constexpr auto pi = std::numbers::pi_v<float>;
    if (x > float(Radius))
        return 0.0F;
    if (x <= 1e-3F)
        return 1.0F;
    return float(Radius) * std::sin(pi * x) * std::sin(pi * x / float(Radius)) / (pi * pi * x * x);
}

inline float gaussianWeight(float x)
{
    constexpr float radius = 1.5F;
    constexpr float sigma = radius / 3.0F;
    return x >= radius ? 0.0F : std::exp(-x * x / (2.0F * sigma * sigma));
}

inline float boxWeight(float x)
{
    if (x == 0.5F)
        return 0.5F;
    return x < 0.5F ? 1.0F : 0.0F;
}

inline float triangleWeight(float x)
{
    return x < 1.0F ? 1.0F - x : 0.0F;
}

inline float keysCubicWeight(float x)
{
    if (x >= 2.0F)
        return 0.0F;
    if (x >= 1.0F)
        return ((-0.5F * x + 2.5F) * x - 4.0F) * x + 2.0F;
    return (1.5F * x - 2.5F) * x * x + 1.0F;
}

inline float mitchellCubicWeight(float x)
{
    if (x >= 2.0F)
        return 0.0F;
    if (x >= 1.0F)
        return ((-7.0F / 18.0F * x + 2.0F) * x - 10.0F / 3.0F) * x + 16.0F / 9.0F;
    return (7.0F / 6.0F * x - 2.0F) * x * x + 8.0F / 9.0F;
}

inline std::optional<SamplingKernel> samplingKernel(std::string_view name)
{
    if (name == "lanczos1")
        return SamplingKernel{1.0F, lanczosWeight<1>};
    if (name == "lanczos3")
        return SamplingKernel{3.0F, lanczosWeight<3>};
    if (name == "lanczos5")
        return SamplingKernel{5.0F, lanczosWeight<5>};
    if (name == "gaussian")
        return SamplingKernel{1.5F, gaussianWeight};
    if (name == "box")
        return SamplingKernel{1.0F, boxWeight};
    if (name == "triangle")
        return SamplingKernel{1.0F, triangleWeight};
    if (name == "keyscubic")
        return SamplingKernel{2.0F, keysCubicWeight};
    if (name == "mitchellcubic")
        return SamplingKernel{2.0F, mitchellCubicWeight};
    return {};
}

} // namespace lapidary
