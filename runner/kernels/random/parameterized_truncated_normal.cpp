// SPDX-License-Identifier: Apache-2.0
// ParameterizedTruncatedNormal: for each batch (first dimension), normal numbers with a mean and a
// deviation, of which only those in [minval, maxval] are used. The methods are those of Robert,
// "Simulation of truncated normal variables" (1995), with TensorFlow's choice between them; the
// numbers equal TensorFlow's if it draws them in one thread.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {
namespace {

constexpr int mostTries = 1000; // for one number

// The standard normal distribution between two bounds, of which one is finite.
template <class T>
class BoundedNormal {
public:
    using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;

    BoundedNormal(Number low, Number high)
        : m_low(low)
        , m_high(high)
    {
        const Number root = std::sqrt(low * low + 4);
        m_rate = (low + root) / 2;
        const Number narrow = 2 * std::exp(Number(0.5) + low * (low - root) / 4) / (low + root);
        constexpr auto inside = Number(1.3);
        if ((low < -inside && high >= 0) || (high > inside && low <= 0))
            m_propose = &BoundedNormal::proposeNormal;
        else if (high - low < narrow)
            m_propose = &BoundedNormal::proposeUniform;
        else
            m_propose = &BoundedNormal::proposeExponential;
    }

    // Calls give(number) until that has enough; returns false if too many numbers were refused.
    template <class Give>
    bool draw(Philox& generator, const Give& give)
    {
        int tries = 0;
        while (tries < mostTries) {
            m_accepted.fill(false);
            const std::size_t count = (this->*m_propose)(generator);
            for (std::size_t i = 0; i < count; ++i) {
                if (!m_accepted[i])
                    ++tries;
                else if (tries = 0; !give(m_proposed[i]))
                    return true;
            }
        }
        return false;
    }

private:
    static constexpr std::size_t size = groupSize<T>;

    std::size_t proposeNormal(Philox& generator)
    {
        const Group<T> normals = Normal::make(generator, T());
        for (std::size_t i = 0; i < size; ++i) {
            m_proposed[i] = Number(normals[i]);
            m_accepted[i] = m_proposed[i] >= m_low && m_proposed[i] <= m_high;
        }
        return size;
    }

    std::size_t proposeUniform(Philox& generator)
    {
        const Number peak = m_low < 0 ? 0 : m_low * m_low; // square of the most likely number
        const Group<T> places = Uniform::make(generator, T());
        const Group<T> levels = Uniform::make(generator, T());
        for (std::size_t i = 0; i < size; ++i) {
            const Number x = Number(places[i]) * (m_high - m_low) + m_low;
            m_proposed[i] = x;
            m_accepted[i] = Number(levels[i]) <= std::exp((peak - x * x) / 2);
        }
        return size;
    }

    std::size_t proposeExponential(Philox& generator)
    {
        const Group<T> uniforms = Uniform::make(generator, T());
        for (std::size_t i = 0; i < size / 2; ++i) {
            const Number x = -std::log(Number(uniforms[2 * i])) / m_rate + m_low;
            const Number away = m_rate - x;
            m_proposed[i] = x;
            m_accepted[i] = Number(uniforms[2 * i + 1]) <= std::exp(-away * away / 2) && x < m_high;
        }
        return size / 2;
    }

    Number m_low;
    Number m_high;
    Number m_rate; // rate of the exponential proposals
    std::size_t (BoundedNormal::*m_propose)(Philox& generator);
    std::array<Number, size> m_proposed{};
    std::array<bool, size> m_accepted{};
};

struct Parameters {
    double mean = 0;
    double deviation = 1;
    double low = 0;
    double high = 0;

    bool areValid() const
    {
        return deviation > 0 && low < high && (std::isfinite(low) || std::isfinite(high));
    }
};

Parameters parametersOf(const KernelContext& context, std::int64_t batch)
{
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Value& input = context.input(i + 1);
        dispatch(RealFloats(), input.dtype(), [&](auto zero) {
            const auto all = input.as<decltype(zero)>();
            values[i] = double(wide(all[all.size() == 1 ? 0 : std::size_t(batch)]));
        });
    }
    return {values[0], values[1], values[2], values[3]};
}

Status checkSizes(const KernelContext& context, const Dims& dims)
{
    if (dims.empty())
        return context.error("the shape must have a first dimension, the batches");
    for (std::size_t i = 1; i < 5; ++i) {
        const Value& values = context.input(i);
        if (values.rank() > 1 || (values.elements() != 1 && values.elements() != dims[0]))
            return context.error("input " + std::to_string(i) + " must be one number or " +
                                 std::to_string(dims[0]) + ", but its shape is " +
                                 dimsText(values.dims()));
    }
    return Done{};
}

template <class T>
bool fill(std::span<T> out, const Parameters& parameters, Philox& generator)
{
    using Number = typename BoundedNormal<T>::Number;
    const auto mean = Number(parameters.mean);
    auto deviation = Number(parameters.deviation);
    auto low = Number(parameters.low);
    auto high = Number(parameters.high);
    if ((std::isinf(low) && low < 0) || high < mean) { // mirrors the distribution
        std::swap(low, high);
        deviation = -deviation;
    }
    BoundedNormal<T> normal((low - mean) / deviation, (high - mean) / deviation);
    std::size_t at = 0;
    return normal.draw(generator, [&](Number x) {
        out[at++] = T(x * deviation + mean);
        return at < out.size();
    });
}

Status fillBatches(const KernelContext& context, Philox generator, Value& out)
{
    const std::int64_t batches = out.dim(0);
    const auto each = std::size_t(out.elements() / batches);
    for (std::int64_t batch = 0; batch < batches; ++batch) {
        if (context.job().cancelled())
            return cancelledError();
        const Parameters parameters = parametersOf(context, batch);
        if (!parameters.areValid())
            return context.error("batch " + std::to_string(batch) +
                                 " needs a positive deviation and minval < maxval");
        bool isFilled = false;
        const bool isKnown = dispatch(RealFloats(), out.dtype(), [&](auto zero) {
            using T = decltype(zero);
            isFilled = fill(out.mutableAs<T>().subspan(std::size_t(batch) * each, each), parameters,
                            generator);
        });
        if (!isKnown)
            return context.error("has no kernel for " + dtypeName(out.dtype()));
        if (!isFilled)
            return context.error("no number of batch " + std::to_string(batch) +
                                 " was between its bounds in " + std::to_string(mostTries) +
                                 " tries");
    }
    return Done{};
}

// Returns the number of counters to skip after a run, however many it used; shapes with equal
// parameters are split into batches of 100.
std::uint64_t countersOf(const KernelContext& context, const Value& out)
{
    constexpr std::uint64_t usualBatch = 100;
    auto batches = std::uint64_t(out.dim(0));
    std::uint64_t each = std::uint64_t(out.elements()) / batches;
    if (context.input(1).elements() == 1 && context.input(2).elements() == 1 &&
        context.input(3).isScalar() && context.input(4).isScalar()) {
        batches = (std::uint64_t(out.elements()) + usualBatch - 1) / usualBatch;
        each = usualBatch;
    }
    return batches * 2 * mostTries * (each + 3) / 4;
}

Status runParameterizedTruncatedNormal(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    RETURN_IF_ERROR(checkSizes(context, dims));
    auto out = context.makeOutput(0, context.typeAttr("dtype", DType::Float), dims);
    if (!out || out.value().elements() == 0)
        return out ? Status(Done{}) : out.error();
    Philox& generator = nodeGenerator(context);
    RETURN_IF_ERROR(fillBatches(context, generator, out.value()));
    generator.skip(countersOf(context, out.value()));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ParameterizedTruncatedNormal, runParameterizedTruncatedNormal);

} // namespace lapidary
