// ParameterizedTruncatedNormal: for each batch (first dimension), normal numbers of a mean and a
// deviation, of which only those in [minval, maxval] are taken. The distribution is TensorFlow's,
// the numbers for a seed are our own.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/random/kernels.h"
#include "runner/kernels/random/philox.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace lapidary {
namespace {

constexpr std::uint64_t reserved = 256; // counters for one element

class Uniforms {
public:
    explicit Uniforms(Philox generator)
        : m_words(generator)
    {
    }
    double next() // [0, 1)
    {
        const std::uint32_t high = m_words.next();
        return unitDouble(high, m_words.next());
    }
    double nextNormal()
    {
        const std::uint32_t a = m_words.next();
        const std::uint32_t b = m_words.next();
        const std::uint32_t c = m_words.next();
        return normalPair(a, b, c, m_words.next())[0];
    }

private:
    PhiloxWords m_words;
};

// The standard normal distribution between two bounds, by rejection; which proposal is best
// follows Robert, "Simulation of truncated normal variables" (1995).
class BoundedNormal {
public:
    // low < high; one of them finite.
    BoundedNormal(double low, double high)
        : m_isMirrored(high < 0)
        , m_low(m_isMirrored ? -high : low)
        , m_high(m_isMirrored ? -low : high)
    {
        if (m_low <= 0) {
            m_isNarrow = m_high - m_low < std::sqrt(2 * std::numbers::pi);
            return;
        }
        const double root = std::sqrt(m_low * m_low + 4);
        m_rate = (m_low + root) / 2;
        m_isNarrow = m_high - m_low < 2 * std::sqrt(std::numbers::e) / (m_low + root) *
                                          std::exp((m_low * m_low - m_low * root) / 4);
    }

    double draw(Uniforms& uniforms) const
    {
        std::optional<double> x;
        while (!x)
            x = m_isNarrow   ? fromUniform(uniforms)
                : m_low <= 0 ? fromNormal(uniforms)
                             : fromTail(uniforms);
        return m_isMirrored ? -*x : *x;
    }

private:
    std::optional<double> fromUniform(Uniforms& uniforms) const
    {
        const double x = m_low + (m_high - m_low) * uniforms.next();
        const double peak = std::max(m_low, 0.0); // where the density is largest
        return accepted(x, std::exp((peak - x) * (peak + x) / 2), uniforms);
    }
    std::optional<double> fromNormal(Uniforms& uniforms) const
    {
        const double x = uniforms.nextNormal();
        return accepted(x, x >= m_low && x <= m_high ? 1 : 0, uniforms);
    }
    std::optional<double> fromTail(Uniforms& uniforms) const
    {
        const double x = m_low - std::log1p(-uniforms.next()) / m_rate;
        const double away = x - m_rate;
        return accepted(x, x <= m_high ? std::exp(-away * away / 2) : 0, uniforms);
    }
    static std::optional<double> accepted(double x, double share, Uniforms& uniforms)
    {
        return uniforms.next() < share ? std::optional(x) : std::nullopt;
    }

    bool m_isMirrored;
    double m_low;
    double m_high;
    double m_rate = 0; // of the exponential proposal
    bool m_isNarrow = false;
};

// Inputs 1 to 4: one number for all batches, or one a batch.
Result<double> parameter(const KernelContext& context, std::size_t i, std::int64_t batch)
{
    const Value& values = context.input(i);
    double result = 0;
    const bool known = dispatch(RealFloats(), values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        result = double(wide(values.as<T>()[values.elements() == 1 ? 0 : std::size_t(batch)]));
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(values.dtype()));
    return result;
}

Status checkParameters(const KernelContext& context, const Dims& dims)
{
    if (dims.empty() || dims[0] < 1)
        return context.error("the shape must have a first dimension of at least 1");
    for (std::size_t i = 1; i < 5; ++i) {
        const Value& values = context.input(i);
        if (values.rank() > 1 || (values.elements() != 1 && values.elements() != dims[0]))
            return context.error("input " + std::to_string(i) + " must be one number or " +
                                 std::to_string(dims[0]) + ", but its shape is " +
                                 dimsText(values.dims()));
    }
    return Done{};
}

Status fillBatch(const KernelContext& context, Uniforms& uniforms, std::int64_t batch, Value& out)
{
    std::array<double, 4> p{};
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto value = parameter(context, i + 1, batch);
        if (!value)
            return value.error();
        p[i] = value.value();
    }
    const auto [mean, deviation, low, high] = p;
    const double from = (low - mean) / deviation;
    const double to = (high - mean) / deviation;
    if (!(deviation > 0 && from < to && (std::isfinite(from) || std::isfinite(to))))
        return context.error("batch " + std::to_string(batch) +
                             " needs a positive deviation and minval < maxval");
    const BoundedNormal normal(from, to);
    const auto each = std::size_t(out.elements() / out.dim(0));
    dispatch(RealFloats(), out.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (T& x : out.mutableAs<T>().subspan(std::size_t(batch) * each, each))
            x = T(std::clamp(mean + deviation * normal.draw(uniforms), low, high));
    });
    return Done{};
}

Status run(KernelContext& context)
{
    const auto dims = shapeInput(context, 0);
    if (!dims)
        return dims.error();
    if (const Status status = checkParameters(context, dims.value()); !status)
        return status.error();
    auto out = context.makeOutput(0, context.typeAttr("dtype", DType::Float), dims.value());
    if (!out)
        return out.error();
    if (out.value().elements() == 0)
        return Done{};
    Philox& generator = nodeGenerator(context);
    Uniforms uniforms(generator);
    generator.skip(std::uint64_t(out.value().elements()) * reserved);
    for (std::int64_t batch = 0; batch < dims.value()[0]; ++batch) {
        if (context.job().cancelled())
            return Error{ErrorCode::Cancelled, "the run was cancelled"};
        if (const Status status = fillBatch(context, uniforms, batch, out.value()); !status)
            return status.error();
    }
    return Done{};
}

} // namespace

const Kernel kernels::parameterizedTruncatedNormal{.op = "ParameterizedTruncatedNormal",
                                                   .run = run};

} // namespace lapidary
