// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/convolution/convolve.h"

#include "runner/kernels/convolution/depthwise.h"
#include "runner/kernels/dispatch.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

using onednn::ConvKind;

// Computes y[n, r, c, :] += x[n, r s + i d - p, ..., :] * filter for one output row of one image.
void plainRow(const Conv2dGeometry& g, std::int64_t row, const double* x, const double* filter,
              double* y)
{
    const std::int64_t image = row / g.rows.output;
    const std::int64_t top = row % g.rows.output * g.rows.stride - g.rows.before;
    const bool depthwise = g.kind == ConvKind::Depthwise;
    const std::int64_t perInput = depthwise ? g.outChannels / g.inChannels : g.outChannels;
    for (std::int64_t i = 0; i < g.rows.kernel; ++i) {
        const std::int64_t r = top + i * g.rows.dilation;
        if (r < 0 || r >= g.rows.input)
            continue;
        for (std::int64_t at = 0; at < g.columns.output * g.columns.kernel; ++at) {
            const std::int64_t column = at / g.columns.kernel;
            const std::int64_t j = at % g.columns.kernel;
            const std::int64_t c =
                column * g.columns.stride - g.columns.before + j * g.columns.dilation;
            if (c < 0 || c >= g.columns.input)
                continue;
            const double* pixel =
                x + ((image * g.rows.input + r) * g.columns.input + c) * g.inChannels;
            const double* tap = filter + (i * g.columns.kernel + j) * g.inChannels * perInput;
            double* sum = y + (row * g.columns.output + column) * g.outChannels;
            for (std::int64_t k = 0; k < g.inChannels; ++k)
                for (std::int64_t m = 0; m < perInput; ++m)
                    sum[depthwise ? k * perInput + m : m] += pixel[k] * tap[k * perInput + m];
        }
    }
}

void plainForward(const Conv2dGeometry& g, const double* x, const double* filter, double* y)
{
    const std::int64_t rowSize = g.columns.output * g.outChannels;
    const std::int64_t cost = rowSize * g.rows.kernel * g.columns.kernel * g.inChannels;
    parallelFor(g.batch * g.rows.output, cost, [&](std::int64_t begin, std::int64_t end) {
        std::fill(y + begin * rowSize, y + end * rowSize, 0.0);
        for (std::int64_t row = begin; row < end; ++row)
            plainRow(g, row, x, filter, y);
    });
}

// Computes the gradient: scatters each output pixel back to the inputs that it came from.
void plainBackward(const Conv2dGeometry& g, const double* grad, const double* filter, double* x)
{
    const std::int64_t taps = g.rows.kernel * g.columns.kernel;
    std::fill_n(x, g.batch * g.rows.input * g.columns.input * g.inChannels, 0.0);
    for (std::int64_t at = 0; at < g.batch * g.rows.output * g.columns.output; ++at) {
        const std::int64_t column = at % g.columns.output;
        const std::int64_t row = at / g.columns.output % g.rows.output;
        const std::int64_t image = at / (g.columns.output * g.rows.output);
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const std::int64_t r =
                row * g.rows.stride - g.rows.before + tap / g.columns.kernel * g.rows.dilation;
            const std::int64_t c = column * g.columns.stride - g.columns.before +
                                   tap % g.columns.kernel * g.columns.dilation;
            if (r < 0 || r >= g.rows.input || c < 0 || c >= g.columns.input)
                continue;
            double* to = x + ((image * g.rows.input + r) * g.columns.input + c) * g.inChannels;
            const double* from = grad + at * g.outChannels;
            const double* weights = filter + tap * g.inChannels * g.outChannels;
            for (std::int64_t k = 0; k < g.inChannels * g.outChannels; ++k)
                to[k / g.outChannels] += from[k % g.outChannels] * weights[k];
        }
    }
}

Dims resultDims(const Conv2dGeometry& g)
{
    if (g.kind == ConvKind::Transposed)
        return {g.batch, g.rows.input, g.columns.input, g.inChannels};
    return {g.batch, g.rows.output, g.columns.output, g.outChannels};
}

Result<Value> convolveDouble(KernelContext& context, const Conv2dGeometry& g, const Value& input,
                             const Value& filter)
{
    auto y = context.allocate(DType::Double, resultDims(g));
    if (!y)
        return y;
    const double* x = input.as<double>().data();
    const double* f = filter.as<double>().data();
    if (g.kind == ConvKind::Transposed)
        plainBackward(g, x, f, y->mutableAs<double>().data());
    else
        plainForward(g, x, f, y->mutableAs<double>().data());
    return y;
}

Result<Value> convolveFloat(KernelContext& context, const Conv2dGeometry& g, const Value& input,
                            const Value& filter, PackedConvolutions& packed)
{
    // With one input channel it is a plain convolution, as in TensorFlow.
    if (g.kind == ConvKind::Depthwise && g.inChannels > 1) {
        ASSIGN_OR_RETURN(const auto plain, weightsInMemory(context, filter));
        return depthwiseFloat(context, g, input, plain);
    }
    auto y = context.allocate(DType::Float, resultDims(g));
    if (!y)
        return y;
    const MakeWeights make = [&]() -> Result<WeightsAndBias> {
        ASSIGN_OR_RETURN(auto plain, weightsInMemory(context, filter));
        return WeightsAndBias{std::move(plain), {}};
    };
    const Status status = packed.run(context, {g.shape(), {}}, input.as<float>().data(),
                                     {&filter, 1}, make, y->mutableAs<float>().data());
    if (!status)
        return context.error(status.error().message);
    return y;
}

// Returns whether oneDNN cannot be used: it stores no zeros for empty sums, and does not accept an
// empty result, which a filter gives that is larger than the picture by less than a stride.
bool hasNothingToSum(const Conv2dGeometry& g, const Value& input, const Value& filter)
{
    return input.elements() == 0 || filter.elements() == 0 || g.rows.kernel == 0 ||
           g.columns.kernel == 0 || g.rows.output == 0 || g.columns.output == 0;
}

Result<Value> zeros(KernelContext& context, DType dtype, Dims dims)
{
    auto y = context.allocate(dtype, std::move(dims));
    if (y)
        std::memset(y->mutableAs<char>().data(), 0, y->byteCount());
    return y;
}

} // namespace

onednn::ConvShape Conv2dGeometry::shape() const
{
    return {.kind = kind,
            .input = {batch, rows.input, columns.input, inChannels},
            .output = {batch, rows.output, columns.output, outChannels},
            .kernel = {rows.kernel, columns.kernel},
            .stride = {rows.stride, columns.stride},
            .dilation = {rows.dilation, columns.dilation},
            .padBefore = {rows.before, columns.before}};
}

Result<Value> widened(KernelContext& context, const Value& narrow)
{
    auto wideValue = context.allocate(DType::Float, narrow.dims());
    if (wideValue)
        dispatch(TypeList<Half, BFloat16>(), narrow.dtype(), [&](auto zero) {
            std::ranges::copy(narrow.as<decltype(zero)>(),
                              wideValue->template mutableAs<float>().begin());
        });
    return wideValue;
}

Result<Value> narrowed(KernelContext& context, const Value& wideValue, DType dtype)
{
    auto narrow = context.allocate(dtype, wideValue.dims());
    if (narrow)
        dispatch(TypeList<Half, BFloat16>(), dtype, [&](auto zero) {
            using T = decltype(zero);
            std::ranges::transform(wideValue.as<float>(), narrow->template mutableAs<T>().begin(),
                                   [](float x) { return T(x); });
        });
    return narrow;
}

Result<Value> convolve(KernelContext& context, const Conv2dGeometry& geometry, const Value& input,
                       const Value& filter, PackedConvolutions& packed)
{
    const DType dtype = input.dtype();
    if (hasNothingToSum(geometry, input, filter))
        return zeros(context, dtype, resultDims(geometry));
    if (dtype == DType::Double)
        return convolveDouble(context, geometry, input, filter);
    if (dtype == DType::Float)
        return convolveFloat(context, geometry, input, filter, packed);
    const auto x = widened(context, input);
    const auto f = widened(context, filter);
    if (!x || !f)
        return x ? f : x;
    const auto y = convolveFloat(context, geometry, x.value(), f.value(), packed);
    return y ? narrowed(context, *y, dtype) : y;
}

} // namespace lapidary
