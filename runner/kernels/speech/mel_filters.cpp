// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/speech/mel_filters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

double melOf(double hertz)
{
    return 1127.0 * std::log1p(hertz / 700.0);
}

double hertzOfBin(const MfccSettings& settings)
{
    return 0.5 * settings.rate / double(settings.bins - 1);
}

double centerOf(const MfccSettings& settings, std::int64_t filter)
{
    const double low = melOf(settings.low);
    const double spacing = (melOf(settings.high) - low) / double(settings.filters + 1);
    return low + spacing * double(filter + 1);
}

} // namespace

std::string MfccSettings::fault() const
{
    if (coefficients < 1 || coefficients > filters)
        return "dct_coefficient_count must be between 1 and filterbank_channel_count";
    if (!(low >= 0) || !(low < high))
        return "lower_frequency_limit must be 0 or more and below upper_frequency_limit";
    if (rate <= 0 || bins < 2)
        return "a sample rate above 0 and at least 2 frequencies are needed";
    return {};
}

BinRange usedBins(const MfccSettings& settings)
{
    const double hertz = hertzOfBin(settings);
    constexpr double farAway = 1e15; // beyond any bin, and inside int64
    return {std::int64_t(std::min(1.5 + settings.low / hertz, farAway)),
            std::int64_t(std::min(settings.high / hertz, farAway))};
}

void spreadBins(const MfccSettings& settings, std::span<MelShare> shares)
{
    const double hertz = hertzOfBin(settings);
    const BinRange used = usedBins(settings);
    std::int64_t passed = 0;
    for (std::int64_t i = used.start; i <= std::min(used.end, settings.bins - 1); ++i) {
        const double mel = melOf(double(i) * hertz);
        while (passed < settings.filters && centerOf(settings, passed) < mel)
            ++passed;
        const double above = centerOf(settings, passed);
        const double below = passed > 0 ? centerOf(settings, passed - 1) : melOf(settings.low);
        shares[std::size_t(i)] = {passed - 1, (above - mel) / (above - below)};
    }
}

void fillCosines(const MfccSettings& settings, std::span<double> cosines)
{
    const double scale = std::sqrt(2.0 / double(settings.filters));
    const double arc = std::numbers::pi / double(settings.filters);
    for (std::int64_t k = 0; k < settings.coefficients; ++k)
        for (std::int64_t j = 0; j < settings.filters; ++j)
            cosines[std::size_t(j * settings.coefficients + k)] =
                scale * std::cos(double(k) * arc * (double(j) + 0.5));
}

} // namespace lapidary
