// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/spectrogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

namespace lapidary {
namespace {

constexpr std::int64_t smallestWindow = 16;
constexpr std::int64_t largestWindow = 1024;
constexpr std::int64_t windowsInSound = 8; // at least, if it is long enough
constexpr std::int64_t mostWindows = 8;    // for a column of a long sound
constexpr double silence = 1e-20;          // in power

using Complex = std::complex<double>;

// Computes the discrete Fourier transform (Cooley and Tukey) in place; the size is a power of 2.
void transform(std::vector<Complex>& values)
{
    const std::size_t size = values.size();
    for (std::size_t i = 1, j = 0; i < size; ++i) {
        std::size_t bit = size >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
    for (std::size_t length = 2; length <= size; length *= 2) {
        const Complex step = std::polar(1.0, -2 * std::numbers::pi / double(length));
        for (std::size_t begin = 0; begin < size; begin += length) {
            Complex turn = 1;
            for (std::size_t i = begin; i < begin + length / 2; ++i) {
                const Complex odd = values[i + length / 2] * turn;
                values[i + length / 2] = values[i] - odd;
                values[i] += odd;
                turn *= step;
            }
        }
    }
}

class Analysis {
public:
    Analysis(const Tensor& tensor, std::int64_t samples, std::int64_t channels, std::int64_t window)
        : m_tensor(tensor)
        , m_samples(samples)
        , m_channels(channels)
        , m_window(window)
    {
    }

    // Adds the power of the window that begins at `first` to each channel's bins.
    Status add(std::int64_t first, std::vector<std::vector<double>>& power) const
    {
        ASSIGN_OR_RETURN(const auto samples,
                         m_tensor.numbers(first * m_channels, (first + m_window) * m_channels));
        std::vector<Complex> values(static_cast<std::size_t>(m_window));
        for (std::size_t channel = 0; channel < power.size(); ++channel) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double sample = samples[i * std::size_t(m_channels) + channel];
                const double hann =
                    0.5 - 0.5 * std::cos(2 * std::numbers::pi * double(i) / double(m_window));
                values[i] = std::isfinite(sample) ? sample * hann : 0;
            }
            transform(values);
            for (std::size_t bin = 0; bin < power[channel].size(); ++bin)
                power[channel][bin] += std::norm(values[bin]);
        }
        return Done{};
    }

    // Returns the mean power in a column, over windows that overlap by half, or over a few of them
    // if there are many.
    Result<std::vector<std::vector<double>>> column(std::int64_t at, std::int64_t columns,
                                                    std::size_t channels) const
    {
        std::vector<std::vector<double>> power(
            channels, std::vector<double>(std::size_t(m_window / 2 + 1), 0.0));
        const std::int64_t last = m_samples - m_window;
        const std::int64_t begin = last * at / columns;
        const std::int64_t span = last * (at + 1) / columns - begin;
        const std::int64_t count = std::clamp<std::int64_t>(2 * span / m_window, 1, mostWindows);
        for (std::int64_t i = 0; i < count; ++i)
            RETURN_IF_ERROR(add(begin + span * i / count, power));
        for (auto& bins : power)
            for (double& bin : bins)
                bin /= double(count);
        return power;
    }

private:
    const Tensor& m_tensor;
    std::int64_t m_samples;
    std::int64_t m_channels;
    std::int64_t m_window;
};

std::vector<std::uint8_t> levelsOf(const std::vector<double>& powers, double most)
{
    std::vector<std::uint8_t> levels(powers.size());
    std::ranges::transform(powers, levels.begin(), [&](double power) {
        if (power <= silence)
            return std::uint8_t(0);
        const double decibels = 10 * std::log10(power / most);
        const double level = 255 * (1 - decibels / Spectrogram::quietest);
        return std::uint8_t(std::lround(std::clamp(level, 0.0, 255.0)));
    });
    return levels;
}

} // namespace

Result<Spectrogram> spectrogramOf(const Tensor& tensor, int columns, const Job& job)
{
    ASSIGN_OR_RETURN(const Waveform wave, waveformOf(tensor, 1, job));
    const std::int64_t window =
        std::clamp(std::int64_t(std::bit_floor(std::uint64_t(wave.samples / windowsInSound))),
                   smallestWindow, largestWindow);
    const std::int64_t steps = 4 * (wave.samples - window) / window + 1;
    const std::int64_t count =
        std::clamp<std::int64_t>(columns, 1, std::max<std::int64_t>(steps, 1));
    Spectrogram spectrogram;
    spectrogram.window = int(window);
    spectrogram.columns = int(count);
    spectrogram.rows = int(window / 2 + 1);
    std::vector<std::vector<double>> powers(
        wave.channels.size(), std::vector<double>(std::size_t(count * (window / 2 + 1))));
    const Analysis analysis(tensor, wave.samples, wave.allChannels, window);
    double most = silence;
    for (std::int64_t at = 0; at < count; ++at) {
        if (job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(const auto column, analysis.column(at, count, wave.channels.size()));
        for (std::size_t channel = 0; channel < column.size(); ++channel)
            for (std::size_t bin = 0; bin < column[channel].size(); ++bin) {
                const std::size_t row = column[channel].size() - 1 - bin;
                powers[channel][row * std::size_t(count) + std::size_t(at)] = column[channel][bin];
                most = std::max(most, column[channel][bin]);
            }
    }
    for (const std::vector<double>& channel : powers)
        spectrogram.channels.push_back(levelsOf(channel, most));
    return spectrogram;
}

} // namespace lapidary
