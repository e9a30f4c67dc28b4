// SPDX-License-Identifier: Apache-2.0
// QuantizedMaxPool, QuantizedAvgPool: pooling of the codes; the range stays the same (spec:
// kernels, B12). A mean is truncated to an integer.
#include "runner/kernels/kernel.h"
#include "runner/kernels/nn/pooling.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

Result<Pooling> poolingOf(const KernelContext& context)
{
    return poolingOf(context, context.attr("ksize").ints(), context.attr("strides").ints());
}

Status runMax(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, 1));
    ASSIGN_OR_RETURN(const auto pooling, poolingOf(context));
    const Status pooled = poolMaximum(context, pooling);
    return pooled ? setRange(context, range) : pooled;
}

void meanOfPixel(const Pooling& p, std::int64_t at, const std::uint8_t* x,
                 std::span<std::int32_t> sums, std::uint8_t* y)
{
    const std::int64_t column = at % p.columns.output;
    const std::int64_t row = at / p.columns.output % p.rows.output;
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, row);
    const Range columns = clippedWindow(p.columns, column);
    std::ranges::fill(sums, 0);
    for (std::int64_t r = rows.begin; r < rows.end; ++r) {
        const std::uint8_t* line = x + (image * p.rows.input + r) * p.columns.input * p.channels;
        for (std::int64_t c = columns.begin; c < columns.end; ++c)
            for (std::int64_t k = 0; k < p.channels; ++k)
                sums[std::size_t(k)] += line[c * p.channels + k];
    }
    const std::int64_t pixels = std::max<std::int64_t>(rows.end - rows.begin, 0) *
                                std::max<std::int64_t>(columns.end - columns.begin, 0);
    const auto count = std::int32_t(std::max<std::int64_t>(pixels, 1));
    for (std::int64_t k = 0; k < p.channels; ++k)
        y[k] = std::uint8_t(std::clamp(sums[std::size_t(k)] / count, 0, 255));
}

Status runAverage(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, 1));
    ASSIGN_OR_RETURN(const auto pooling, poolingOf(context));
    const Pooling& p = pooling;
    if (p.depthWindow > 1)
        return context.error("averages over rows and columns only");
    if (p.rows.kernel * p.columns.kernel > std::numeric_limits<std::int32_t>::max() / 255)
        return context.error("the window is too large");
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, DType::QUInt8, p.outputDims()));
    const std::uint8_t* from = context.input(0).as<std::uint8_t>().data();
    std::uint8_t* to = y.mutableAs<std::uint8_t>().data();
    const std::int64_t cost = p.rows.kernel * p.columns.kernel * p.channels / 4 + 1;
    parallelFor(p.outputPixels(), cost, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int32_t> sums(std::size_t(p.channels));
        for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at)
            meanOfPixel(p, at, from, sums, to + at * p.channels);
    });
    return setRange(context, range);
}

} // namespace

LAPIDARY_KERNEL(QuantizedMaxPool, runMax);
LAPIDARY_KERNEL(QuantizedAvgPool, runAverage);

} // namespace lapidary
