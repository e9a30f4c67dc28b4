// SPDX-License-Identifier: Apache-2.0
// BiasAdd, BiasAddV1: adds a vector along the channels (spec: kernels, A5). Integers wrap.
#include "runner/kernels/nn/bias_add.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

namespace lapidary {
namespace {

Status checkShapes(const KernelContext& context, bool channelsFirst)
{
    const Value& value = context.input(0);
    const Value& bias = context.input(1);
    constexpr int mostRank = 5;
    const int leastRank = channelsFirst ? 3 : 2;
    if (value.rank() < leastRank || value.rank() > mostRank)
        return context.error("the input must have " + std::to_string(leastRank) +
                             " to 5 dimensions, but is " + dimsText(value.dims()));
    if (!bias.isVector())
        return context.error("the bias must be a vector, but is " + dimsText(bias.dims()));
    if (bias.dim(0) != value.dim(channelsFirst ? 1 : value.rank() - 1))
        return context.error("the bias " + dimsText(bias.dims()) +
                             " does not have as many elements as the input " +
                             dimsText(value.dims()) + " has channels");
    return Done{};
}

template <class T>
void addRows(const T* x, const T* bias, T* y, std::int64_t rows, std::int64_t channels)
{
    parallelFor(rows, channels / 2, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            for (std::int64_t c = 0; c < channels; ++c)
                y[row * channels + c] =
                    T(wrapping::add(wide(x[row * channels + c]), wide(bias[c])));
    });
}

template <class T>
void addPlanes(const T* x, const T* bias, T* y, std::int64_t planes, std::int64_t channels,
               std::int64_t size)
{
    parallelFor(planes, size / 2, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t plane = begin; plane < end; ++plane)
            for (std::int64_t i = plane * size; i < (plane + 1) * size; ++i)
                y[i] = T(wrapping::add(wide(x[i]), wide(bias[plane % channels])));
    });
}

Status runBiasAdd(KernelContext& context)
{
    return addBias(context, context.stringAttr("data_format", "NHWC") == "NCHW");
}

Status runV1(KernelContext& context)
{
    return addBias(context, false);
}

} // namespace

Status addBias(KernelContext& context, bool channelsFirst)
{
    RETURN_IF_ERROR(checkShapes(context, channelsFirst));
    const Value bias = context.input(1);
    const std::int64_t channels = bias.dim(0);
    Value x = context.takeInput(0);
    Value y = x;
    if (!x.isSet()) {
        x = context.input(0);
        ASSIGN_OR_RETURN(auto made, context.allocate(x.dtype(), x.dims()));
        y = std::move(made);
    }
    const bool known = dispatch(Numbers(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = x.as<T>().data();
        if (x.elements() == 0)
            return;
        if (channelsFirst) {
            const std::int64_t planes = x.dim(0) * channels;
            addPlanes(from, bias.as<T>().data(), y.mutableAs<T>().data(), planes, channels,
                      x.elements() / planes);
        } else {
            addRows(from, bias.as<T>().data(), y.mutableAs<T>().data(), x.elements() / channels,
                    channels);
        }
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return context.setOutput(0, std::move(y));
}

LAPIDARY_KERNEL(BiasAdd, runBiasAdd);
LAPIDARY_KERNEL(BiasAddV1, runV1);

} // namespace lapidary
