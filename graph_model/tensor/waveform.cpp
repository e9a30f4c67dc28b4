// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/waveform.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lapidary {
namespace {

constexpr std::int64_t fewestSamples = 64;
constexpr std::int64_t mostChannels = 64;
constexpr std::int64_t shownChannels = 8;
constexpr std::int64_t samplesForChannel = 16; // with fewer, it is a matrix and not a sound
constexpr std::int64_t readPiece = 1 << 16;

struct WaveLayout {
    std::int64_t samples = 0;
    std::int64_t channels = 1;
};

std::optional<WaveLayout> waveLayout(const Shape& shape)
{
    if (shape.unknownRank)
        return {};
    std::vector<std::int64_t> dims;
    for (const std::int64_t dim : shape.dims)
        if (dim != 1)
            dims.push_back(dim);
    if (dims.empty() || dims.size() > 2)
        return {};
    const WaveLayout layout{dims[0], dims.size() == 2 ? dims[1] : 1};
    const bool isSound = layout.samples >= fewestSamples && layout.channels >= 1 &&
                         layout.channels <= mostChannels &&
                         layout.samples / samplesForChannel >= layout.channels;
    return isSound ? std::optional(layout) : std::nullopt;
}

void include(Waveform::Span& span, double sample)
{
    if (!std::isfinite(sample))
        return;
    const auto number = float(sample);
    span.low = span.isEmpty ? number : std::min(span.low, number);
    span.high = span.isEmpty ? number : std::max(span.high, number);
    span.isEmpty = false;
}

void setReach(Waveform& wave)
{
    Waveform::Span all;
    for (const auto& channel : wave.channels)
        for (const Waveform::Span& span : channel)
            if (!span.isEmpty) {
                include(all, span.low);
                include(all, span.high);
            }
    wave.low = all.low;
    wave.high = all.high;
}

} // namespace

bool isWaveformShape(const Shape& shape)
{
    return waveLayout(shape).has_value();
}

Result<Waveform> waveformOf(const Tensor& tensor, int columns, const Job& job)
{
    const auto layout = waveLayout(tensor.shape());
    if (!layout || columns < 1)
        return Error{ErrorCode::InvalidArgument,
                     "a tensor of shape " + shapeText(tensor.shape()) + " is not a sound"};
    Waveform wave;
    wave.samples = layout->samples;
    wave.allChannels = layout->channels;
    const std::int64_t spans = std::min<std::int64_t>(columns, layout->samples);
    wave.channels.assign(std::size_t(std::min(layout->channels, shownChannels)),
                         std::vector<Waveform::Span>(std::size_t(spans)));
    const std::int64_t elements = layout->samples * layout->channels;
    for (std::int64_t begin = 0; begin < elements; begin += readPiece) {
        if (job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(const auto piece,
                         tensor.numbers(begin, std::min(begin + readPiece, elements)));
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::int64_t at = begin + std::int64_t(i);
            const auto channel = std::size_t(at % layout->channels);
            // Columns differ by at most one sample.
            const std::int64_t sample = at / layout->channels;
            const auto column =
                std::size_t(double(sample) * double(spans) / double(layout->samples));
            if (channel < wave.channels.size())
                include(wave.channels[channel][std::min(column, std::size_t(spans) - 1)], piece[i]);
        }
    }
    setReach(wave);
    return wave;
}

} // namespace lapidary
