// SPDX-License-Identifier: Apache-2.0
// Recurrent cells, speech and sequence decoding.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rooms.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>
#include <bit>

namespace lapidary {
namespace {

using namespace shape_rules;

void lstmCell(RuleContext& context)
{
    const Shape x = context.ranked(0, 2);
    const Shape state = context.ranked(1, 2);
    const std::int64_t batch = x.dims[0] == unknownDim ? state.dims[0] : x.dims[0];
    context.setAll({{batch, state.dims[1]}, false});
}

void gruCell(RuleContext& context)
{
    const Shape x = context.ranked(0, 2);
    const Shape state = context.ranked(1, 2);
    context.setAll({{x.dims[0], state.dims[1]}, false});
}

// The whole sequence at once: x of [time, batch, inputs], the bias of four gates.
void blockLstm(RuleContext& context)
{
    const Shape x = context.ranked(1, 3);
    const Shape bias = context.ranked(context.inputCount() - 1, 1);
    const std::int64_t cells = quotient(context, bias.dims[0], 4, true);
    context.setAll({{x.dims[0], x.dims[1], cells}, false});
}

void decodeWav(RuleContext& context)
{
    context.ranked(0, 0);
    const auto sizeOf = [&](std::string_view name) {
        const std::int64_t size = context.attrs().integer(name, -1);
        if (size < -1)
            context.fail(std::string(name) + " must be non-negative, got " + std::to_string(size));
        return size < 0 ? unknownDim : size;
    };
    const std::int64_t channels = sizeOf("desired_channels");
    const std::int64_t samples = sizeOf("desired_samples");
    context.set(0, {{samples, channels}, false});
    context.set(1, Shape{});
}

void encodeWav(RuleContext& context)
{
    context.ranked(0, 2);
    context.ranked(1, 0);
    context.set(0, Shape{});
}

void spectrogram(RuleContext& context)
{
    const Shape input = context.ranked(0, 2);
    const std::int64_t window = context.attrs().integer("window_size");
    const std::int64_t stride = context.attrs().integer("stride");
    if (stride <= 0) {
        context.fail("stride must be strictly positive, got " + std::to_string(stride));
        return;
    }
    if (window < 1 || window > (std::int64_t(1) << 40)) {
        context.fail("window_size must be positive, got " + std::to_string(window));
        return;
    }
    std::int64_t frames = unknownDim;
    if (input.dims[0] >= 0) {
        const std::int64_t rest = input.dims[0] - window;
        frames = rest < 0 ? 0 : 1 + rest / stride;
    }
    const auto length = std::int64_t(std::bit_ceil(std::uint64_t(window)));
    context.set(0, {{input.dims[1], frames, 1 + length / 2}, false});
}

void mfcc(RuleContext& context)
{
    const Shape input = context.ranked(0, 3);
    context.ranked(1, 0);
    const std::int64_t count = context.attrs().integer("dct_coefficient_count", 13);
    if (count < 0)
        context.fail("dct_coefficient_count must not be negative, got " + std::to_string(count));
    context.set(0, {{input.dims[0], input.dims[1], count}, false});
}

void greedyDecoder(RuleContext& context)
{
    const Shape inputs = context.ranked(0, 3);
    const Shape lengths = context.ranked(1, 1);
    const std::int64_t batch = context.merge(inputs.dims[1], lengths.dims[0]);
    context.set(0, {{unknownDim, 2}, false});
    context.set(1, unknownDims(1));
    context.set(2, {{2}, false});
    context.set(3, {{batch, 1}, false});
}

void beamDecoder(RuleContext& context)
{
    const Shape inputs = context.ranked(0, 3);
    const Shape lengths = context.ranked(1, 1);
    const std::int64_t batch = context.merge(inputs.dims[1], lengths.dims[0]);
    const std::int64_t paths = context.attrs().integer("top_paths");
    if (paths < 0 || std::uint64_t(paths) * 3 >= context.outputCount())
        return;
    for (std::size_t i = 0; i < std::size_t(paths); ++i) {
        context.set(i, {{unknownDim, 2}, false});
        context.set(i + std::size_t(paths), unknownDims(1));
        context.set(i + 2 * std::size_t(paths), {{2}, false});
    }
    context.set(3 * std::size_t(paths), {{batch, paths}, false});
}

void fft(RuleContext& context)
{
    context.set(0, context.rankedAtLeast(context.input(0), 1));
}

// Real to complex: the last dimension is halved.
void realFft(RuleContext& context, std::size_t rank, bool isForward)
{
    const Shape input = context.rankedAtLeast(context.input(0), rank);
    if (input.unknownRank)
        return;
    context.ranked(1, 1);
    const auto* lengths = context.items(1);
    Shape output = input;
    const std::size_t first = input.dims.size() - rank;
    for (std::size_t i = 0; i < rank; ++i) {
        const bool isKnown = lengths != nullptr && i < lengths->size() && (*lengths)[i] >= 0;
        std::int64_t size = isKnown ? (*lengths)[i] : unknownDim;
        if (i + 1 == rank && isForward && size > 0)
            size = size / 2 + 1;
        output.dims[first + i] = size;
    }
    context.set(0, output);
}

void rfft(RuleContext& context)
{
    realFft(context, 1, true);
}

void irfft(RuleContext& context)
{
    realFft(context, 1, false);
}

void rfft2d(RuleContext& context)
{
    realFft(context, 2, true);
}

void rfft3d(RuleContext& context)
{
    realFft(context, 3, true);
}

void irfft2d(RuleContext& context)
{
    realFft(context, 2, false);
}

void irfft3d(RuleContext& context)
{
    realFft(context, 3, false);
}

void fft3d(RuleContext& context)
{
    context.set(0, context.rankedAtLeast(context.input(0), 3));
}

// The sizes follow from how rows are told apart, which only a run knows.
void raggedTensorToTensor(RuleContext& context)
{
    constexpr std::string_view partitions[] = {"FIRST_DIM_SIZE", "ROW_LENGTHS", "ROW_SPLITS",
                                               "VALUE_ROWIDS"};
    for (const std::string_view type : context.node().attr("row_partition_types").strings())
        if (std::ranges::find(partitions, type) == std::end(partitions))
            context.fail("attribute row_partition_types names no way to tell rows apart: '" +
                         std::string(type) + "'");
}

constexpr ShapeRule sequenceTable[] = {
    {"AudioSpectrogram", spectrogram},
    {"BlockLSTM", blockLstm},
    {"CTCBeamSearchDecoder", beamDecoder},
    {"CTCGreedyDecoder", greedyDecoder},
    {"DecodeWav", decodeWav},
    {"EncodeWav", encodeWav},
    {"FFT", fft},
    {"FFT2D", fft},
    {"FFT3D", fft3d},
    {"GRUBlockCell", gruCell},
    {"IFFT", fft},
    {"IFFT2D", fft},
    {"IFFT3D", fft3d},
    {"IRFFT", irfft},
    {"IRFFT2D", irfft2d},
    {"IRFFT3D", irfft3d},
    {"LSTMBlockCell", lstmCell},
    {"Mfcc", mfcc},
    {"RFFT", rfft},
    {"RFFT2D", rfft2d},
    {"RFFT3D", rfft3d},
    {"RaggedTensorToTensor", raggedTensorToTensor},
};

} // namespace

std::span<const ShapeRule> sequenceRules()
{
    return sequenceTable;
}

} // namespace lapidary
