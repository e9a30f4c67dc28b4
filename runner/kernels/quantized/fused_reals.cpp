// SPDX-License-Identifier: Apache-2.0
// A convolution of codes whose sums become real numbers, or a depthwise convolution of floats, and
// the nodes after it that work channel by channel: while the sums are in the cache, they are
// overwritten by the results, whose range is found at the same time.
#include "runner/kernels/quantized/fused_reals.h"

#include "runner/int8/channel_end.h"
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/convolution/depthwise.h"
#include "runner/kernels/elementwise/broadcast.h"
#include "runner/kernels/file_weights.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/code_convolution.h"
#include "runner/kernels/quantized/fused_codes.h"
#include "runner/kernels/quantized/fused_stages.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

struct RealsState {
    CodeConvolutionState convolution;
    PackedConvolutions packed;
};

// Reads input `i`: a number for each channel, or one for all.
Status readChannels(const KernelContext& context, std::size_t i, std::vector<float>& to)
{
    const Value& numbers = context.input(i);
    const auto channels = std::int64_t(to.size());
    if (numbers.dtype() != DType::Float ||
        (numbers.elements() != channels && numbers.elements() != 1))
        return context.error("input " + std::to_string(i) + " must be floats, one for each of " +
                             std::to_string(channels) + " channels, but is " +
                             dimsText(numbers.dims()));
    const auto from = numbers.as<float>();
    for (std::size_t c = 0; c < to.size(); ++c)
        to[c] = from[from.size() == 1 ? 0 : c];
    return Done{};
}

CodeRange rangeAfter(const int8::Ending& ending)
{
    return {ending.range().least, ending.range().most};
}

struct End {
    int8::ChannelEnd byChannel;
    std::optional<std::size_t> sum; // index of the input that is added
};

// `first`: the index of the input for the first stage after the convolution.
Result<End> endOf(const KernelContext& context, std::string_view stages, std::size_t first,
                  std::int64_t channels)
{
    constexpr float six = 6;
    End end{int8::ChannelEnd(channels), {}};
    int8::ChannelEnd& by = end.byChannel;
    while (!stages.empty()) {
        const std::string_view name = takePiece(stages, ',');
        if (name == real_stages::relu || name == real_stages::relu6) {
            by.low = 0;
            if (name == real_stages::relu6)
                std::ranges::fill(by.highs, six);
            continue;
        }
        if (first >= context.inputCount())
            return context.error("has too few inputs for its stages");
        if (name == real_stages::sum) {
            end.sum = first++;
            continue;
        }
        std::vector<float> numbers(std::size_t(channels), 0.0F);
        RETURN_IF_ERROR(readChannels(context, first++, numbers));
        if (name == real_stages::scale)
            by.factors = std::move(numbers);
        else if (name == real_stages::shift)
            by.offsets = std::move(numbers);
        else
            for (std::size_t c = 0; c < numbers.size(); ++c)
                by.highs[c] = numbers[c] < by.highs[c] ? numbers[c] : by.highs[c];
    }
    return end;
}

// Adds a tensor that must be broadcast, which is rare, and applies the steps after the sum.
Status addBroadcast(KernelContext& context, std::string_view sumNode, const Value& x,
                    const Value& other, const int8::ChannelEnd& after)
{
    const auto broadcast = Broadcast::of(x.dims(), other.dims());
    if (!broadcast)
        return errorOf(context, sumNode,
                       context.error("incompatible shapes: " + dimsText(x.dims()) + " and " +
                                     dimsText(other.dims())));
    ASSIGN_OR_RETURN(auto z, context.makeOutput(0, DType::Float, broadcast->output));
    int8::Ending ending(after);
    float* const to = z.mutableAs<float>().data();
    if (z.elements() > 0) {
        const float* const a = x.as<float>().data();
        const float* const b = other.as<float>().data();
        eachRun(*broadcast, [&](std::int64_t xAt, std::int64_t yAt, std::int64_t zAt,
                                const Broadcast::Axis& axis) {
            for (std::int64_t i = 0; i < axis.size; ++i)
                to[zAt + i] = a[xAt + i * axis.xStep] + b[yAt + i * axis.yStep];
        });
        ending.run(to, z.elements());
    }
    return setRange(context, rangeAfter(ending));
}

// Returns the steps after the sum, for rows of one number.
int8::ChannelEnd behindSum(const int8::ChannelEnd& end)
{
    int8::ChannelEnd behind(1);
    behind.low = end.low;
    behind.highs = {end.highs.front()};
    return behind;
}

// Returns the steps before the sum.
int8::ChannelEnd beforeSum(int8::ChannelEnd end)
{
    const int8::ChannelEnd nothing(std::int64_t(end.factors.size()));
    end.low = nothing.low;
    end.highs = nothing.highs;
    return end;
}

// Checks the types of the convolution's inputs.
Status checkCodes(const KernelContext& context, std::size_t inputs)
{
    for (std::size_t i = 0; i < std::min(inputs, context.inputCount()); ++i)
        if (context.input(i).dtype() != (i < 2 ? DType::QUInt8 : DType::Float))
            return context.error("its input " + std::to_string(i) + " is " +
                                 dtypeName(context.input(i).dtype()));
    return Done{};
}

Status runOnCodes(KernelContext& context, std::string_view stages, RealsState& state)
{
    constexpr std::size_t inputs = 6;
    std::string_view names = context.stringAttr("stage_nodes");
    const std::string_view source = takePiece(names, stageNodesMark);
    RETURN_IF_ERROR(checkCodes(context, inputs));
    const auto convolution = codeConvolutionOf(context, state.convolution);
    if (!convolution)
        return errorOf(context, source, convolution.error());
    const int8::Convolution& shape = convolution->shape;
    ASSIGN_OR_RETURN(auto end, endOf(context, stages, inputs, shape.filters));
    const Real<std::int32_t> real(convolution->range);
    end.byChannel.isOfSums = true;
    end.byChannel.bias = real.bias();
    end.byChannel.step = real.step();
    const Dims dims{shape.batch, shape.outHeight, shape.outWidth, shape.filters};
    const Value other = end.sum ? context.input(*end.sum) : Value();
    if (end.sum && other.dtype() != DType::Float)
        return context.error("adds floats only");
    const bool broadcasts = end.sum && other.dims() != dims;
    ASSIGN_OR_RETURN(auto out, context.allocate(DType::Float, dims));
    float* const reals = out.mutableAs<float>().data();
    const float* const added = end.sum && !broadcasts ? other.as<float>().data() : nullptr;
    int8::Ending ending(broadcasts ? beforeSum(end.byChannel) : end.byChannel, added);
    // A float has the size of the sum that it replaces.
    const Status summed =
        convolution->run(context, state.convolution.packed, reinterpret_cast<std::int32_t*>(reals),
                         nullptr, &ending);
    if (!summed)
        return errorOf(context, source, summed.error());
    if (broadcasts)
        return addBroadcast(context, names, out, other, behindSum(end.byChannel));
    RETURN_IF_ERROR(context.setOutput(0, std::move(out)));
    return setRange(context, rangeAfter(ending));
}

// Returns whether the depthwise kernel is used: no tensor is empty, and it is not a plain
// convolution.
bool sumsRows(const Conv2dGeometry& g, const Value& input, const Value& filter)
{
    return g.inChannels > 1 && input.elements() > 0 && filter.elements() > 0 && g.rows.output > 0 &&
           g.columns.output > 0;
}

Status runDepthwise(KernelContext& context, std::string_view stages, RealsState& state)
{
    const std::string_view source = context.stringAttr("stage_nodes");
    const auto geometry = depthwiseGeometry(context);
    if (!geometry)
        return errorOf(context, source, geometry.error());
    const std::int64_t channels = geometry->outChannels;
    ASSIGN_OR_RETURN(auto end, endOf(context, stages, 2, channels));
    int8::Ending ending(std::move(end.byChannel));
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (sumsRows(*geometry, x, filter)) {
        ASSIGN_OR_RETURN(const auto weights, weightsInMemory(context, filter));
        ASSIGN_OR_RETURN(auto y, depthwiseFloat(context, *geometry, x, weights, &ending));
        RETURN_IF_ERROR(context.setOutput(0, std::move(y)));
        return setRange(context, rangeAfter(ending));
    }
    auto y = convolve(context, *geometry, x, filter, state.packed);
    if (!y)
        return errorOf(context, source, y.error());
    if (y->elements() > 0)
        parallelFor(y->elements() / channels, channels / 4 + 1,
                    [&, all = y->mutableAs<float>().data()](std::int64_t begin, std::int64_t stop) {
                        ending.run(all + begin * channels, stop - begin);
                    });
    RETURN_IF_ERROR(context.setOutput(0, std::move(y).value()));
    return setRange(context, rangeAfter(ending));
}

Status runFusedReals(KernelContext& context)
{
    std::string_view stages = context.stringAttr("stages");
    auto& state = context.state<RealsState>();
    return takePiece(stages, ',') == real_stages::codes ? runOnCodes(context, stages, state)
                                                        : runDepthwise(context, stages, state);
}

} // namespace

LAPIDARY_KERNEL(_LapidaryReals, runFusedReals);

} // namespace lapidary
