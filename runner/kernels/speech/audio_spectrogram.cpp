// SPDX-License-Identifier: Apache-2.0
// AudioSpectrogram: magnitudes of the Fourier transforms of windows that begin every `stride`
// samples, weighted by a periodic Hann window and padded to a power of two.
#include "runner/kernels/kernel.h"
#include "runner/kernels/speech/fourier.h"
#include "runner/kernels/wide_loop.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>

namespace lapidary {
namespace {

struct Windows {
    std::int64_t size = 0;
    std::int64_t stride = 0;
    std::int64_t count = 0;
    std::int64_t length = 0; // of the transform

    std::int64_t bins() const { return length / 2 + 1; }
};

Result<Windows> windowsOf(const KernelContext& context, std::int64_t samples)
{
    Windows windows;
    windows.size = context.intAttr("window_size");
    windows.stride = context.intAttr("stride");
    constexpr std::int64_t mostSize = std::int64_t(1) << 40;
    if (windows.size < 2 || windows.stride < 1 || windows.size > mostSize)
        return context.error("cannot make windows of " + std::to_string(windows.size) +
                             " samples with stride " + std::to_string(windows.stride));
    windows.count = samples < windows.size ? 0 : 1 + (samples - windows.size) / windows.stride;
    windows.length = std::int64_t(std::bit_ceil(std::uint64_t(windows.size)));
    return windows;
}

// The state that the node keeps.
struct Kept {
    std::int64_t size = 0; // of a window
    std::optional<Fourier> fourier;
    std::optional<Scratch<double>> weights;
};

Status prepare(Kept& kept, const Windows& windows, MemoryPool& pool)
{
    if (kept.size == windows.size)
        return Done{};
    kept = {};
    ASSIGN_OR_RETURN(auto fourier, Fourier::make(windows.length, pool));
    ASSIGN_OR_RETURN(auto weights, Scratch<double>::make(pool, windows.size));
    for (std::int64_t i = 0; i < windows.size; ++i)
        weights[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * double(i) / double(windows.size));
    kept.fourier = std::move(fourier);
    kept.weights = std::move(weights);
    kept.size = windows.size;
    return Done{};
}

// Windows of one channel, as many as one transform takes; `start` is the first sample of the first
// window.
struct Group {
    std::int64_t channel = 0;
    std::int64_t start = 0;
    std::size_t count = 0;
};

std::span<const double> transformGroup(const Value& audio, const Group& group,
                                       const Windows& windows, Kept& kept)
{
    constexpr std::size_t lanes = Fourier::lanes;
    const std::int64_t channels = audio.dim(1);
    const auto reals = kept.fourier->reals();
    const auto weights = kept.weights->all();
    std::ranges::fill(group.count < lanes ? reals : reals.subspan(weights.size() * lanes), 0.0);
    for (std::size_t lane = 0; lane < group.count; ++lane) {
        const std::int64_t first = group.start + std::int64_t(lane) * windows.stride;
        const float* samples = audio.as<float>().data() + first * channels + group.channel;
        for (std::size_t i = 0; i < weights.size(); ++i)
            reals[i * lanes + lane] = double(samples[std::int64_t(i) * channels]) * weights[i];
    }
    return kept.fourier->transform();
}

// Stores the magnitudes of the first `count` rows; `transforms` has all rows.
void storeMagnitudes(std::span<const double> transforms, std::size_t count, std::size_t bins,
                     bool isSquared, float* out)
{
    constexpr std::size_t lanes = Fourier::lanes;
    const double* const parts = transforms.data();
    wideLoop([&] {
        for (std::size_t k = 0; k < bins; ++k) {
            const double* const real = parts + 2 * k * lanes;
            const double* const imaginary = real + lanes;
            std::array<float, lanes> squares{};
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const auto square =
                    float(real[lane] * real[lane] + imaginary[lane] * imaginary[lane]);
                squares[lane] = isSquared ? square : std::sqrt(square);
            }
            for (std::size_t lane = 0; lane < count; ++lane)
                out[lane * bins + k] = squares[lane];
        }
    });
}

Status fillSpectrogram(KernelContext& context, const Windows& windows, float* out)
{
    auto& kept = context.state<Kept>();
    if (const Status status = prepare(kept, windows, context.session().pool); !status)
        return context.error(status.error().message);
    const Value& audio = context.input(0);
    const bool isSquared = context.boolAttr("magnitude_squared");
    const auto bins = std::size_t(windows.bins());
    constexpr auto lanes = std::int64_t(Fourier::lanes);
    for (std::int64_t channel = 0; channel < audio.dim(1); ++channel) {
        for (std::int64_t i = 0; i < windows.count; i += lanes) {
            if (context.job().cancelled())
                return cancelledError();
            const Group group{channel, i * windows.stride,
                              std::size_t(std::min(lanes, windows.count - i))};
            storeMagnitudes(transformGroup(audio, group, windows, kept), group.count, bins,
                            isSquared, out);
            out += group.count * bins;
        }
    }
    return Done{};
}

Status runAudioSpectrogram(KernelContext& context)
{
    const Value& audio = context.input(0);
    if (audio.rank() != 2)
        return context.error("input must be 2-dimensional, got shape " + dimsText(audio.dims()));
    ASSIGN_OR_RETURN(const auto windows, windowsOf(context, audio.dim(0)));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float,
                                                  {audio.dim(1), windows.count, windows.bins()}));
    if (out.elements() == 0)
        return Done{};
    return fillSpectrogram(context, windows, out.mutableAs<float>().data());
}

} // namespace

LAPIDARY_KERNEL(AudioSpectrogram, runAudioSpectrogram);

} // namespace lapidary
