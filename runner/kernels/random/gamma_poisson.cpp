// SPDX-License-Identifier: Apache-2.0
// RandomGamma: samples of Gamma(alpha, 1) by Marsaglia and Tsang's rejection method.
// RandomPoisson, RandomPoissonV2: by products of uniform numbers (Knuth) for small rates, by
// transformed rejection (Hoermann) for others.
// Each sample has counters of its own, so that it does not depend on how many are drawn.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/philox.h"

#include <cmath>
#include <limits>

namespace lapidary {
namespace {

constexpr std::uint64_t reserved = 256; // counters for one sample

// Draws uniform and normal doubles from one generator, the second of each pair first.
class Draws {
public:
    explicit Draws(Philox generator)
        : m_generator(generator)
    {
    }
    double uniform()
    {
        if (m_uniformLeft == 0) {
            const Philox::Words w = m_generator.next();
            m_uniform = {unitDouble(w[0], w[1]), unitDouble(w[2], w[3])};
            m_uniformLeft = 2;
        }
        return m_uniform[--m_uniformLeft];
    }
    double normal()
    {
        if (m_normalLeft == 0) {
            const Philox::Words w = m_generator.next();
            m_normal = normalPair(w[0], w[1], w[2], w[3]);
            m_normalLeft = 2;
        }
        return m_normal[--m_normalLeft];
    }

private:
    Philox m_generator;
    std::array<double, 2> m_uniform{};
    std::array<double, 2> m_normal{};
    std::size_t m_uniformLeft = 0;
    std::size_t m_normalLeft = 0;
};

double gammaSample(double alpha, Draws draws)
{
    if (!(alpha > 0) || std::isinf(alpha))
        return std::numeric_limits<double>::quiet_NaN();
    if (alpha == 1.0)
        return -std::log1p(-draws.uniform());
    const bool isSmall = alpha < 1;
    const double d = alpha + (isSmall ? 2.0 / 3 : -1.0 / 3);
    const double c = 1.0 / 3 / std::sqrt(d);
    while (true) {
        const double x = draws.normal();
        const double root = 1 + c * x;
        if (root <= 0)
            continue;
        const double v = root * root * root;
        const double u = draws.uniform();
        const bool surely = u < 1 - 0.0331 * (x * x) * (x * x);
        if (!surely && std::log(u) >= 0.5 * x * x + d * (1 - v + std::log(v)))
            continue;
        return isSmall ? d * v * std::pow(draws.uniform(), 1 / alpha) : d * v;
    }
}

double smallPoisson(double rate, Draws draws)
{
    const double limit = std::exp(-rate);
    double product = 1;
    for (double count = 0;; ++count) {
        product *= draws.uniform();
        if (product <= limit)
            return count;
    }
}

double poissonSample(double rate, Draws draws)
{
    if (!(rate >= 0) || std::isinf(rate))
        return std::numeric_limits<double>::quiet_NaN();
    if (rate < 10)
        return smallPoisson(rate, draws);
    const double b = 0.931 + 2.53 * std::sqrt(rate);
    const double a = -0.059 + 0.02483 * b;
    const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
    while (true) {
        const double u = draws.uniform() - 0.5;
        const double v = draws.uniform();
        const double us = 0.5 - std::abs(u);
        const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
            return k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        const double s = std::log(v * inverseAlpha / (a / (us * us) + b));
        int sign = 0; // std::lgamma would store it in a global variable
        if (s <= -rate + k * std::log(rate) - lgamma_r(k + 1, &sign))
            return k;
    }
}

// Returns a parameter (alpha, rate) as doubles.
std::vector<double> parameters(const Value& value)
{
    std::vector<double> all;
    using Types = TypeList<float, double, Half, std::int32_t, std::int64_t>;
    dispatch(Types(), value.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (const T x : value.as<T>())
            all.push_back(double(wide(x)));
    });
    return all;
}

template <class T>
T stored(double sample)
{
    if constexpr (std::is_integral_v<T>)
        return sample >= double(std::numeric_limits<T>::max()) || std::isnan(sample)
                   ? std::numeric_limits<T>::max()
                   : T(sample);
    else
        return T(float(sample));
}
template <>
double stored<double>(double sample)
{
    return sample;
}

template <auto sample>
Status draw(KernelContext& context, DType dtype)
{
    ASSIGN_OR_RETURN(auto dims, shapeInput(context, 0));
    const std::vector<double> given = parameters(context.input(1));
    std::uint64_t each = 1;
    for (const std::int64_t dim : dims)
        each *= std::uint64_t(dim);
    Dims all = dims;
    all.insert(all.end(), context.input(1).dims().begin(), context.input(1).dims().end());
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, std::move(all)));
    Philox& generator = nodeGenerator(context);
    Status status = Done{};
    using Types = TypeList<float, double, Half, std::int32_t, std::int64_t>;
    const bool known = dispatch(Types(), dtype, [&](auto zero) {
        using T = decltype(zero);
        const auto out = made.template mutableAs<T>();
        for (std::uint64_t p = 0; p < given.size(); ++p)
            for (std::uint64_t i = 0; i < each; ++i) {
                if (i % 1024 == 0 && context.job().cancelled()) {
                    status = cancelledError();
                    return;
                }
                Philox own = generator;
                own.skip(reserved * (p * each + i));
                out[i * given.size() + p] = stored<T>(sample(given[p], Draws(own)));
            }
    });
    generator.skip(given.size() * each * reserved);
    return known ? status : Status(context.error("has no kernel for " + dtypeName(dtype)));
}

Status runGamma(KernelContext& context)
{
    return draw<gammaSample>(context, context.input(1).dtype());
}

Status runPoisson(KernelContext& context)
{
    return draw<poissonSample>(context, context.typeAttr("dtype", DType::Int64));
}

} // namespace

LAPIDARY_KERNEL(RandomGamma, runGamma);
LAPIDARY_KERNEL(RandomPoisson, runPoisson);
LAPIDARY_KERNEL(RandomPoissonV2, runPoisson);

} // namespace lapidary
