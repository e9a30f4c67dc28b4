// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/elementwise/fast_float.h"

#include "runner/kernels/elementwise/unary.h"
#include "runner/kernels/wide_loop.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace lapidary {
namespace {

// Computes y[i] = function(x[i]). All functions have the same steps for every number, without
// branches.
template <class Function>
void each(const float* x, float* y, std::int64_t n, const Function& function)
{
    wideLoop([&] {
        if (x == y) // one array, so that the compiler can use vectors
            for (std::int64_t i = 0; i < n; ++i)
                y[i] = function(y[i]);
        else
            for (std::int64_t i = 0; i < n; ++i)
                y[i] = function(x[i]);
    });
}

float clamped(float x, float least, float most)
{
    return x < least ? least : x > most ? most : x; // NaN stays
}

// Computes 2^n exp(r), with an integer n and |r| <= ln(2) / 2; exp(r) by a polynomial. 2^n is the
// product of two powers, so that it is 0 or infinite only if the result is.
float expOf(float x)
{
    constexpr float wholeOnly = 12582912.0F; // 1.5 * 2^23: a sum with it has no fraction
    const float inside = clamped(x, -104.0F, 88.8F);
    const float shifted = inside * 1.44269504F + wholeOnly;
    const float n = shifted - wholeOnly;
    const float r = (inside - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 1.9875691500E-4F;
    p = p * r + 1.3981999507E-3F;
    p = p * r + 8.3334519073E-3F;
    p = p * r + 4.1665795894E-2F;
    p = p * r + 1.6666665459E-1F;
    p = p * r + 5.0000001201E-1F;
    const float power = p * (r * r) + r + 1.0F;
    const auto whole = std::int32_t(std::bit_cast<std::uint32_t>(shifted) -
                                    std::bit_cast<std::uint32_t>(wholeOnly));
    const std::int32_t half = whole >> 1;
    const auto first = std::bit_cast<float>((std::uint32_t(half) + 127U) << 23U);
    const auto second = std::bit_cast<float>((std::uint32_t(whole - half) + 127U) << 23U);
    return power * first * second;
}

// Computes x P(x^2) / Q(x^2) on [-8, 8], beyond which the result is 1 up to 3e-7.
float tanhOf(float x)
{
    constexpr float most = 7.99881172F;
    const float inside = clamped(x, -most, most);
    const float s = inside * inside;
    float p = -2.76076847742355E-16F;
    p = p * s + 2.00018790482477E-13F;
    p = p * s - 8.60467152213735E-11F;
    p = p * s + 5.12229709037114E-08F;
    p = p * s + 1.48572235717979E-05F;
    p = p * s + 6.37261928875436E-04F;
    p = p * s + 4.89352455891786E-03F;
    float q = 1.19825839466702E-06F;
    q = q * s + 1.18534705686654E-04F;
    q = q * s + 2.26843463243900E-03F;
    q = q * s + 4.89352518554385E-03F;
    const float near = clamped(inside * p / q, -1.0F, 1.0F);
    return x > most ? 1.0F : x < -most ? -1.0F : near;
}

// Computes x P(x^2) / Q(x^2) on [-4, 4], beyond which the result is 1 in single precision.
float erfOf(float x)
{
    const float inside = clamped(x, -4.0F, 4.0F);
    const float s = inside * inside;
    float p = -2.72614225801306e-10F;
    p = p * s + 2.77068142495902e-08F;
    p = p * s - 2.10102402082508e-06F;
    p = p * s - 5.69250639462346e-05F;
    p = p * s - 7.34990630326855e-04F;
    p = p * s - 2.95459980854025e-03F;
    p = p * s - 1.60960333262415e-02F;
    float q = -1.45660718464996e-05F;
    q = q * s - 2.13374055278905e-04F;
    q = q * s - 1.68282697438203e-03F;
    q = q * s - 7.37332916720468e-03F;
    q = q * s - 1.42647390514189e-02F;
    return clamped(inside * p / q, -1.0F, 1.0F);
}

constexpr std::int64_t lanes = 16; // partial results of a sum or maximum
using Lanes = std::array<float, std::size_t(lanes)>;

float largestOf(const float* x, std::int64_t n)
{
    float largest = x[0];
    std::int64_t i = 0;
    if (n >= lanes) {
        Lanes most;
        for (std::size_t l = 0; l < most.size(); ++l)
            most[l] = x[l];
        for (i = lanes; i + lanes <= n; i += lanes)
            for (std::size_t l = 0; l < most.size(); ++l)
                most[l] = most[l] < x[i + std::int64_t(l)] ? x[i + std::int64_t(l)] : most[l];
        for (const float one : most)
            largest = largest < one ? one : largest;
    }
    for (; i < n; ++i)
        largest = largest < x[i] ? x[i] : largest;
    return largest;
}

// Adds in the order of TensorFlow on x86 processors: eight sums, which are added by halves, and the
// remaining elements separately.
float sumOf(const float* x, std::int64_t n)
{
    constexpr std::int64_t summands = 8;
    std::array<float, std::size_t(summands)> sums{};
    std::int64_t i = 0;
    for (; i + summands <= n; i += summands)
        for (std::size_t l = 0; l < sums.size(); ++l)
            sums[l] += x[i + std::int64_t(l)];
    float sum = 0;
    for (; i < n; ++i)
        sum += x[i];
    for (std::size_t half = sums.size() / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l)
            sums[l] += sums[l + half];
    return sum + sums[0];
}

} // namespace

void expFloats(const float* x, float* y, std::int64_t n)
{
    each(x, y, n, [](float element) { return expOf(element); });
}

void tanhFloats(const float* x, float* y, std::int64_t n)
{
    each(x, y, n, [](float element) { return tanhOf(element); });
}

void sigmoidFloats(const float* x, float* y, std::int64_t n)
{
    each(x, y, n, [](float element) { return 1.0F / (1.0F + expOf(-element)); });
}

void erfFloats(const float* x, float* y, std::int64_t n)
{
    each(x, y, n, [](float element) { return erfOf(element); });
}

void rsqrtFloats(const float* x, float* y, std::int64_t n)
{
    each(x, y, n, [](float element) { return 1.0F / std::sqrt(element); });
}

void softmaxFloats(const float* x, float* y, std::int64_t n, std::int64_t inVectors)
{
    const std::int64_t fast = std::clamp(inVectors, std::int64_t(0), n);
    wideLoop([&] {
        const float largest = largestOf(x, n);
        for (std::int64_t i = 0; i < fast; ++i)
            y[i] = expOf(x[i] - largest);
        for (std::int64_t i = fast; i < n; ++i)
            y[i] = std::exp(x[i] - largest);
        const float factor = 1.0F / sumOf(y, n);
        for (std::int64_t i = 0; i < n; ++i)
            y[i] *= factor;
    });
}

Status runFloats(KernelContext& context, void (*function)(const float* x, float* y, std::int64_t n))
{
    ASSIGN_OR_RETURN(auto made, unaryOutput(context));
    UnaryOutput out = std::move(made);
    const float* x = out.source().as<float>().data();
    float* y = out.y.mutableAs<float>().data();
    parallelFor(out.y.elements(), 2, [&](std::int64_t begin, std::int64_t end) {
        function(x + begin, y + begin, end - begin);
    });
    return context.setOutput(0, std::move(out.y));
}

} // namespace lapidary
