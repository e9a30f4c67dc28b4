// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/weight_noise.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// Adding this to a much smaller number leaves no bits for a fraction, and so rounds it.
constexpr double integersOnly = 6755399441055744; // 1.5 * 2^52

inline double nearestInteger(double x)
{
    return (x + integersOnly) - integersOnly;
}

} // namespace

WeightNoise::WeightNoise(const LayerWeights& weights)
    : m_weights(weights)
    , m_low(weights.outputs)
    , m_high(weights.outputs)
    , m_energy(weights.outputs)
{
    const std::size_t channels = weights.outputs;
    for (std::size_t row = 0; row + channels <= weights.values.size(); row += channels)
        for (std::size_t k = 0; k < channels; ++k) {
            const double value = weights.values[row + k];
            m_low[k] = std::min(m_low[k], value);
            m_high[k] = std::max(m_high[k], value);
            m_energy[k] += value * value;
        }
}

double WeightNoise::scaleOf(std::size_t channel, LayerForm form) const
{
    const double largest = std::max(-m_low[channel], m_high[channel]);
    return isPerChannel(form) && largest > 0 ? largest : 1;
}

double WeightNoise::stepOf(LayerForm form) const
{
    double low = 0;
    double high = 0;
    for (std::size_t k = 0; k < m_low.size(); ++k) {
        low = std::min(low, m_low[k] / scaleOf(k, form));
        high = std::max(high, m_high[k] / scaleOf(k, form));
    }
    return (high - low) / (std::ldexp(1.0, formBits(form)) - 1);
}

double WeightNoise::of(LayerForm form) const
{
    const std::size_t channels = m_weights.outputs;
    const double step = stepOf(form);
    if (step <= 0)
        return 0;
    std::vector<double> steps(channels);
    std::vector<double> inverse(channels);
    for (std::size_t k = 0; k < channels; ++k) {
        steps[k] = step * scaleOf(k, form);
        inverse[k] = 1 / steps[k];
    }
    std::vector<double> error(channels);
    for (std::size_t row = 0; row + channels <= m_weights.values.size(); row += channels)
        for (std::size_t k = 0; k < channels; ++k) {
            const double value = m_weights.values[row + k];
            const double rest = value - steps[k] * nearestInteger(value * inverse[k]);
            error[k] += rest * rest;
        }
    double alike = 0;
    double some = 0;
    double all = 0;
    for (std::size_t k = 0; k < channels; ++k) {
        alike += m_energy[k] > 0 ? error[k] / m_energy[k] : 0;
        some += error[k];
        all += m_energy[k];
    }
    return all > 0 ? std::sqrt(alike / double(channels) * some / all) : 0;
}

} // namespace lapidary
