// SPDX-License-Identifier: Apache-2.0
//   step = (max - min) / (2^bits - 1)
//   code = clamp(round(v / step) - round(min / step), 0, 2^bits - 1)
//   v'   = (code + round(min / step)) * step, which Dequantize computes
#include "transforms/quantize/weight_codes.h"

#include "graph_model/base/clamped_cast.h"
#include "runner/threads/flush_denormals.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

constexpr int wideBits = 16;

struct Range {
    float min = 0;
    float max = 0;
};

class Coder {
public:
    Coder(Range range, int bits)
        : m_codes((1 << bits) - 1)
        , m_allCodes(bits == wideBits ? m_codes : 255)
    {
        // The same limit as in quantize_weights: Dequantize divides by a step that must be a normal
        // number.
        constexpr float narrowest = 256 * FLT_MIN;
        if (range.max - range.min < narrowest * float(m_allCodes) / 255)
            range = {0, 1};
        // Zero gets its own code: otherwise it would be half way between two for [-1, 1], and a
        // reader of the range might round it to the other one.
        const double step = double(range.max - range.min) / m_codes;
        m_lowest = std::round(double(range.min) / step);
        m_min = float(m_lowest * step);
        m_max = float((m_lowest + m_allCodes) * step);
        m_step = double(m_max - m_min) / m_allCodes; // the step that Dequantize will compute
    }

    float min() const { return m_min; }
    float max() const { return m_max; }
    int code(double value) const
    {
        const double code = std::round(value / m_step) - m_lowest;
        return clampedTo<int>(std::clamp(code, 0.0, double(m_codes)));
    }
    double error(double value) const { return value - (double(code(value)) + m_lowest) * m_step; }

private:
    int m_codes;    // the highest code that occurs
    int m_allCodes; // the highest code of the type
    float m_min = 0;
    float m_max = 0;
    double m_step = 1;
    double m_lowest = 0;
};

Range rangeOf(std::span<const float> values)
{
    Range range;
    for (const float value : values)
        range = {std::min(range.min, value), std::max(range.max, value)};
    return range;
}

WeightCodes coded(std::span<const float> values, const Coder& coder, int bits)
{
    WeightCodes codes{
        bits == wideBits ? DType::QUInt16 : DType::QUInt8, coder.min(), coder.max(), {}};
    codes.bytes.reserve(values.size() * (bits == wideBits ? 2 : 1));
    for (const float value : values) {
        const int code = coder.code(double(value));
        codes.bytes += char(std::uint8_t(code));
        if (bits == wideBits)
            codes.bytes += char(std::uint8_t(code >> 8));
    }
    return codes;
}

// Returns the factor that shortens a range with the least error, of `count` from 1 down to `least`.
template <class Error>
double bestFactor(double least, int count, const Error& error)
{
    double best = 1;
    double smallest = std::numeric_limits<double>::infinity();
    for (int i = count - 1; i >= 0; --i) {
        const double factor = least + (1 - least) * i / (count - 1);
        if (const double some = error(factor); some < smallest) {
            smallest = some;
            best = factor;
        }
    }
    return best;
}

Range bestRange(std::span<const float> values, const Range& whole, int bits)
{
    constexpr double least = 0.3;
    constexpr int count = 24;
    const auto shortened = [&](double factor) {
        return Range{float(double(whole.min) * factor), float(double(whole.max) * factor)};
    };
    return shortened(bestFactor(least, count, [&](double factor) {
        const Coder coder(shortened(factor), bits);
        double sum = 0;
        for (const float value : values)
            sum += coder.error(double(value)) * coder.error(double(value));
        return sum;
    }));
}

std::vector<float> divided(const LayerWeights& weights, const std::vector<float>& scale)
{
    std::vector<float> values(weights.values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = weights.values[i] / scale[weights.outputOf(i)];
    return values;
}

void shortenScales(const LayerWeights& weights, const Coder& coder, std::vector<float>& scale)
{
    constexpr double least = 0.4;
    constexpr int count = 25;
    for (std::size_t k = 0; k < scale.size(); ++k) {
        const double whole = double(scale[k]);
        const double factor = bestFactor(least, count, [&](double some) {
            double sum = 0;
            for (std::size_t i = k; i < weights.values.size(); i += weights.outputs) {
                const double error = coder.error(double(weights.values[i]) / (whole * some));
                sum += error * error * some * some;
            }
            return sum;
        });
        scale[k] = float(whole * factor);
    }
}

} // namespace

WeightCodes weightCodes(std::span<const float> values, const CodeOptions& options)
{
    const KeepDenormals keep;
    Range range = rangeOf(values);
    if (options.shortensRange)
        range = bestRange(values, range, options.bits);
    return coded(values, Coder(range, options.bits), options.bits);
}

ChannelCodes channelCodes(const LayerWeights& weights, const CodeOptions& options)
{
    const KeepDenormals keep;
    ChannelCodes result;
    for (const double largest : weights.largestByOutput())
        result.scale.push_back(largest < double(FLT_MIN) ? 1.0F : float(largest));
    const std::vector<float> plain = divided(weights, result.scale);
    const Coder coder(rangeOf(plain), options.bits);
    if (options.shortensRange)
        shortenScales(weights, coder, result.scale);
    result.codes =
        coded(options.shortensRange ? divided(weights, result.scale) : plain, coder, options.bits);
    return result;
}

} // namespace lapidary
