#include "runner/kernels/elementwise/fast_float.h"

#include "runner/kernels/elementwise/unary.h"
#include "runner/threads/parallel_for.h"

#include <cmath>

#include <eigen3/Eigen/Core>

namespace lapidary {
namespace {

Eigen::Map<const Eigen::ArrayXf> reading(const float* x, std::int64_t n)
{
    return {x, Eigen::Index(n)};
}

Eigen::Map<Eigen::ArrayXf> writing(float* y, std::int64_t n)
{
    return {y, Eigen::Index(n)};
}

} // namespace

void expFloats(const float* x, float* y, std::int64_t n)
{
    writing(y, n) = reading(x, n).exp();
}

void tanhFloats(const float* x, float* y, std::int64_t n)
{
    writing(y, n) = reading(x, n).tanh();
}

void sigmoidFloats(const float* x, float* y, std::int64_t n)
{
    writing(y, n) = reading(x, n).logistic();
}

// x P(x^2) / Q(x^2) on [-4, 4], beyond which the result is 1 in single precision. NaN stays.
void erfFloats(const float* x, float* y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i) {
        const float inside = x[i] < -4.0F ? -4.0F : x[i] > 4.0F ? 4.0F : x[i];
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
        const float whole = inside * p / q;
        y[i] = whole < -1.0F ? -1.0F : whole > 1.0F ? 1.0F : whole;
    }
}

void rsqrtFloats(const float* x, float* y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i) // Eigen's square root is wrong at infinity
        y[i] = 1.0F / std::sqrt(x[i]);
}

Status runFloats(KernelContext& context, void (*function)(const float* x, float* y, std::int64_t n))
{
    auto made = unaryOutput(context);
    if (!made)
        return made.error();
    UnaryOutput out = std::move(made).value();
    const float* x = out.source().as<float>().data();
    float* y = out.y.mutableAs<float>().data();
    parallelFor(out.y.elements(), 2, [&](std::int64_t begin, std::int64_t end) {
        function(x + begin, y + begin, end - begin);
    });
    return context.setOutput(0, std::move(out.y));
}

} // namespace lapidary
