// SPDX-License-Identifier: Apache-2.0
// Recurrent cells, speech and sequence decoding.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
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

// Handles the whole sequence at once: x is [time, batch, inputs], the bias has four gates.
void blockLstm(RuleContext& context)
{
    const Shape x = context.ranked(1, 3);
    const Shape bias = context.ranked(context.inputCount() - 1, 1);
    const std::int64_t cells = quotient(context, bias.dims[0], 4, true);
    context.setAll({{x.dims[0], x.dims[1], cells}, false});
}

// Handles one step: the previous state, the gates, and three weights for each cell.
void lstmCellGrad(RuleContext& context)
{
    const std::int64_t batch = context.ranked(0, 2).dims[0];
    const std::int64_t cells = context.ranked(1, 2).dims[1];
    context.setAll({{cells}, false});
    context.set(0, {{batch, cells}, false});
    context.set(1, {{batch, product(context, cells, 4)}, false});
}

// Handles the whole sequence, [time, batch, inputs]; the states of both directions are side by
// side.
void cudnnRnn(RuleContext& context)
{
    const Shape& input = context.input(0);
    const Shape& state = context.input(1);
    const bool isTwoWay = context.attrs().string("direction") == "bidirectional";
    const std::int64_t units = product(context, sizeAt(state, 2), isTwoWay ? 2 : 1);
    context.set(0, {{sizeAt(input, 0), sizeAt(input, 1), units}, false});
    context.set(1, state);
    context.set(2, context.attrs().string("rnn_mode", "lstm") == "lstm" ? state : Shape{});
}

// Computes log-mel features: windows in milliseconds, each joined with its neighbors.
void microFrontend(RuleContext& context)
{
    const std::int64_t samples = context.ranked(0, 1).dims[0];
    const RuleAttrs attrs = context.attrs();
    const std::int64_t perMillisecond = attrs.integer("sample_rate", 16000) / 1000;
    const std::int64_t window = product(context, attrs.integer("window_size", 25), perMillisecond);
    const std::int64_t step = product(context, attrs.integer("window_step", 10), perMillisecond);
    const std::int64_t stride = attrs.integer("frame_stride", 1);
    std::int64_t frames = 0; // also if the number of samples is unknown
    if (samples >= window)
        frames = sum(context,
                     quotient(context,
                              quotient(context, difference(context, samples, window), step, false),
                              stride, false),
                     1);
    const std::int64_t stacked = sum(
        context, sum(context, attrs.integer("left_context"), attrs.integer("right_context")), 1);
    const std::int64_t channels = attrs.integer("num_channels", 32);
    context.set(0, {{frames, product(context, std::max(channels, unknownDim),
                                     std::max(stacked, unknownDim))},
                    false});
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
    constexpr std::int64_t longest = std::int64_t(1) << 40;
    if (window < 0 || window > longest)
        return context.fail("window_size must be positive, got " + std::to_string(window));
    std::int64_t frames = unknownDim;
    if (input.dims[0] >= 0 && input.dims[0] < window)
        frames = 0;
    else if (input.dims[0] >= 0 && stride > 0)
        frames = 1 + (input.dims[0] - window) / stride;
    else if (input.dims[0] >= 0)
        return context.fail("stride must be strictly positive, got " + std::to_string(stride));
    const auto length = std::int64_t(std::bit_ceil(std::uint64_t(window)));
    context.set(0, {{input.dims[1], frames, 1 + length / 2}, false});
}

void mfcc(RuleContext& context)
{
    const Shape input = context.ranked(0, 3);
    context.ranked(1, 0);
    const std::int64_t count = context.attrs().integer("dct_coefficient_count", 13);
    if (count < unknownDim)
        context.fail("dct_coefficient_count must not be negative, got " + std::to_string(count));
    context.set(0, {{input.dims[0], input.dims[1], count}, false});
}

void ctcLoss(RuleContext& context)
{
    Shape inputs = context.ranked(0, 3);
    context.merge(context.ranked(1, 2).dims[0], context.ranked(2, 1).dims[0]);
    inputs.dims[1] = context.merge(inputs.dims[1], context.ranked(3, 1).dims[0]);
    context.set(0, {{inputs.dims[1]}, false});
    context.set(1, inputs);
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
    if (paths < 0 || std::uint64_t(paths) > context.outputCount() ||
        std::uint64_t(paths) * 3 >= context.outputCount())
        return;
    for (std::size_t i = 0; i < std::size_t(paths); ++i) {
        context.set(i, {{unknownDim, 2}, false});
        context.set(i + std::size_t(paths), unknownDims(1));
        context.set(i + 2 * std::size_t(paths), {{2}, false});
    }
    context.set(3 * std::size_t(paths), {{batch, paths}, false});
}

// Takes the steps of a beam search, [time, batch, beams], and as many parents.
void gatherTree(RuleContext& context)
{
    const Shape steps = context.merge(context.ranked(0, 3), context.ranked(1, 3));
    const std::int64_t batch = context.merge(steps.dims[1], context.ranked(2, 1).dims[0]);
    context.ranked(3, 0);
    context.set(0, {{steps.dims[0], batch, steps.dims[2]}, false});
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
        const bool isKnown =
            lengths != nullptr && i < lengths->size() && (*lengths)[i] != unknownItem;
        std::int64_t size = isKnown ? (*lengths)[i] : unknownDim;
        if (i + 1 == rank && isForward && isKnown && size != 0)
            size = size / 2 + 1;
        output.dims[first + i] = std::max(size, unknownDim);
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

// The sizes follow from the row partitions, whose values are only known in a run.
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
    {"AudioMicrofrontend", microFrontend},
    {"AudioSpectrogram", spectrogram},
    {"BlockLSTM", blockLstm},
    {"BlockLSTMV2", blockLstm},
    {"CTCBeamSearchDecoder", beamDecoder},
    {"CTCGreedyDecoder", greedyDecoder},
    {"CTCLoss", ctcLoss},
    {"CTCLossV2", ctcLoss},
    {"CudnnRNN", cudnnRnn},
    {"CudnnRNNV2", cudnnRnn},
    {"CudnnRNNV3", cudnnRnn},
    {"DecodeWav", decodeWav},
    {"EncodeWav", encodeWav},
    {"FFT", fft},
    {"FFT2D", fft},
    {"FFT3D", fft3d},
    {"GRUBlockCell", gruCell},
    {"GatherTree", gatherTree},
    {"IFFT", fft},
    {"IFFT2D", fft},
    {"IFFT3D", fft3d},
    {"IRFFT", irfft},
    {"IRFFT2D", irfft2d},
    {"IRFFT3D", irfft3d},
    {"LSTMBlockCell", lstmCell},
    {"LSTMBlockCellGrad", lstmCellGrad},
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
