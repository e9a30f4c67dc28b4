// SPDX-License-Identifier: Apache-2.0
#include "transforms/quantize/value_histogram.h"

#include "graph_model/base/clamped_cast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t bins = 2048;
constexpr double steps = 255; // between the codes of 8 bits

FrozenRange usable(double low, double high)
{
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
    return {float(low), float(high > low ? high : low + 1)};
}

} // namespace

Result<RangeMethod> rangeMethod(std::string_view name)
{
    constexpr std::array names{std::pair("minmax", RangeMethod::MinMax),
                               std::pair("average", RangeMethod::Average),
                               std::pair("percentile", RangeMethod::Percentile),
                               std::pair("mse", RangeMethod::Mse),
                               std::pair("kl", RangeMethod::Kl),
                               std::pair("statistics", RangeMethod::Statistics)};
    for (const auto& [word, method] : names)
        if (name == word)
            return method;
    return Error{ErrorCode::InvalidArgument,
                 "method is minmax, average, percentile, mse, kl or statistics, not '" +
                     std::string(name) + "'"};
}

bool needsCounts(RangeMethod method)
{
    return method == RangeMethod::Percentile || method == RangeMethod::Mse ||
           method == RangeMethod::Kl;
}

void ValueHistogram::addExtremes(std::span<const float> values)
{
    double low = 0;
    double high = 0;
    for (const float value : values)
        if (std::isfinite(value)) {
            low = std::min(low, double(value));
            high = std::max(high, double(value));
        }
    m_low = std::min(m_low, low);
    m_high = std::max(m_high, high);
    m_sumOfLowest += low;
    m_sumOfHighest += high;
    ++m_samples;
}

double ValueHistogram::binWidth() const
{
    return (m_high - m_low) / double(bins);
}

double ValueHistogram::valueOf(std::size_t bin) const
{
    return m_low + (double(bin) + 0.5) * binWidth();
}

void ValueHistogram::addCounts(std::span<const float> values)
{
    m_counts.resize(bins);
    if (m_high <= m_low)
        return;
    for (const float value : values)
        if (std::isfinite(value)) {
            const double place = (double(value) - m_low) / binWidth();
            ++m_counts[std::min(std::size_t(std::max(place, 0.0)), bins - 1)];
        }
}

FrozenRange ValueHistogram::range(RangeMethod method, double percentile) const
{
    const double samples = double(std::max<std::size_t>(m_samples, 1));
    if (method == RangeMethod::Average)
        return usable(m_sumOfLowest / samples, m_sumOfHighest / samples);
    if (m_counts.empty() || m_high <= m_low)
        return usable(m_low, m_high);
    if (method == RangeMethod::Percentile)
        return percentileRange(percentile);
    if (method == RangeMethod::Mse)
        return leastLoss([&](const FrozenRange& range) { return squaredError(range); });
    if (method == RangeMethod::Kl)
        return leastLoss([&](const FrozenRange& range) { return divergence(range); });
    return usable(m_low, m_high);
}

// Leaves the share above the percentile out at either end.
FrozenRange ValueHistogram::percentileRange(double percentile) const
{
    constexpr double whole = 100;
    std::uint64_t all = 0;
    for (const std::uint64_t count : m_counts)
        all += count;
    const double left = double(all) * (whole - percentile) / whole;
    const auto within = [&](auto begin, auto end) {
        double seen = 0;
        auto bin = begin;
        while (bin != end && seen + double(*bin) <= left)
            seen += double(*bin++);
        return double(bin - begin) * binWidth();
    };
    return usable(m_low + within(m_counts.begin(), m_counts.end()),
                  m_high - within(m_counts.rbegin(), m_counts.rend()));
}

// Tries ranges that are shorter by the same factor at both limits.
template <class Loss>
FrozenRange ValueHistogram::leastLoss(const Loss& loss) const
{
    constexpr int tried = 64;
    FrozenRange best = usable(m_low, m_high);
    double least = std::numeric_limits<double>::infinity();
    for (int i = tried; i > 0; --i) {
        const double factor = double(i) / tried;
        const FrozenRange range = usable(m_low * factor, m_high * factor);
        if (const double some = loss(range); some < least) {
            least = some;
            best = range;
        }
    }
    return best;
}

double ValueHistogram::squaredError(const FrozenRange& range) const
{
    const double step = double(range.max - range.min) / steps;
    double sum = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double value = valueOf(bin);
        const double beyond = value - std::clamp(value, double(range.min), double(range.max));
        // The mean squared error of rounding is step^2 / 12.
        sum += double(m_counts[bin]) * (beyond * beyond + step * step / 12);
    }
    return sum;
}

// Kullback-Leibler divergence of the clipped values from those that their codes represent: within
// one code, all bins that occur have the same weight. The bin of 0 is left out: zeros after a Relu
// would outweigh everything else.
double ValueHistogram::divergence(const FrozenRange& range) const
{
    const auto binOf = [&](double value) {
        return clampedTo<std::size_t>(
            std::clamp((value - m_low) / binWidth(), 0.0, double(bins) - 1));
    };
    const std::size_t first = binOf(double(range.min));
    const std::size_t last = binOf(double(range.max));
    const std::size_t zero = binOf(0);
    const auto counted = [&](std::size_t bin) { return bin == zero ? 0.0 : double(m_counts[bin]); };
    std::vector<double> clipped(last - first + 1);
    for (std::size_t bin = 0; bin < bins; ++bin)
        clipped[std::clamp(bin, first, last) - first] += counted(bin);
    std::vector<double> coded(clipped.size());
    const double perCode = double(coded.size()) / (steps + 1);
    for (double begin = 0; begin + 0.5 < double(coded.size()); begin += std::max(perCode, 1.0)) {
        const auto from = std::size_t(begin);
        const auto to = std::min(std::size_t(begin + std::max(perCode, 1.0)), coded.size());
        double sum = 0;
        double occurring = 0;
        for (std::size_t i = from; i < to; ++i) {
            sum += counted(first + i);
            occurring += counted(first + i) > 0 ? 1 : 0;
        }
        for (std::size_t i = from; i < to; ++i)
            if (counted(first + i) > 0)
                coded[i] = sum / occurring;
    }
    double p = 0;
    double q = 0;
    for (std::size_t i = 0; i < coded.size(); ++i) {
        p += clipped[i];
        q += coded[i];
    }
    if (p <= 0 || q <= 0)
        return std::numeric_limits<double>::infinity();
    constexpr double never = 1e-6; // the share of a bin that does not occur in codes
    double sum = 0;
    for (std::size_t i = 0; i < coded.size(); ++i)
        if (clipped[i] > 0)
            sum += clipped[i] / p * std::log(clipped[i] / p / std::max(coded[i] / q, never));
    return sum;
}

} // namespace lapidary
