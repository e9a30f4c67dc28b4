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
