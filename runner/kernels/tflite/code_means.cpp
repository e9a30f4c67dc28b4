// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MEAN, SUM and RESIZE_BILINEAR of TFLite on 8-bit codes, as its reference kernels
// compute them.
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/nn/pooling.h"
#include "runner/kernels/reduce/reduced_shape.h"
#include "runner/kernels/tflite/code_operands.h"
#include "runner/threads/parallel_for.h"

#include <bit>
#include <cmath>

namespace lapidary {
namespace {

Result<Pooling> codePooling(const KernelContext& context)
{
    return poolingOf(
        context, {1, context.intAttr("filter_height", 1), context.intAttr("filter_width", 1), 1},
        {1, context.intAttr("stride_h", 1), context.intAttr("stride_w", 1), 1});
}

// Computes the sum of the codes of each channel in the window of a pixel; returns their number.
template <class T>
std::int32_t sumPixel(const Pooling& p, std::int64_t at, const T* x, std::span<std::int32_t> sums)
{
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, at / p.columns.output % p.rows.output);
    const Range columns = clippedWindow(p.columns, at % p.columns.output);
    std::ranges::fill(sums, 0);
    for (std::int64_t r = rows.begin; r < rows.end; ++r) {
        const T* line = x + (image * p.rows.input + r) * p.columns.input * p.channels;
        for (std::int64_t c = columns.begin; c < columns.end; ++c)
            for (std::int64_t k = 0; k < p.channels; ++k)
                sums[std::size_t(k)] += line[c * p.channels + k];
    }
    return std::int32_t(std::max<std::int64_t>(rows.end - rows.begin, 0) *
                        std::max<std::int64_t>(columns.end - columns.begin, 0));
}

Status runAveragePool(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 1, {0}));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    if (context.input(0).rank() != 4)
        return context.error("needs data of rank 4, but its shape is " +
                             dimsText(context.input(0).dims()));
    ASSIGN_OR_RETURN(const auto p, codePooling(context));
    if (p.rows.kernel > std::numeric_limits<std::int32_t>::max() / 512 / p.columns.kernel)
        return context.error("the window is too large");
    const DType dtype = context.input(0).dtype();
    const CodeBounds bounds = activatedBounds(context, dtype, out);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, dtype, p.outputDims()));
    std::uint8_t* to = y.mutableAs<std::uint8_t>().data();
    dispatch(Codes(), dtype, [&](auto kind) {
        const auto* x = context.input(0).as<decltype(kind)>().data();
        const std::int64_t cost = p.rows.kernel * p.columns.kernel * p.channels / 4 + 1;
        parallelFor(p.outputPixels(), cost, [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::int32_t> sums(std::size_t(p.channels));
            for (std::int64_t at = begin; at < end; ++at) {
                const std::int32_t count = std::max(sumPixel(p, at, x, sums), 1);
                for (std::int64_t k = 0; k < p.channels; ++k) {
                    const std::int32_t sum = sums[std::size_t(k)];
                    const std::int32_t half = sum > 0 ? count / 2 : -(count / 2);
                    to[at * p.channels + k] = std::uint8_t(bounds.held((sum + half) / count));
                }
            }
        });
    });
    return Done{};
}

// Returns the factor divided by the count, which turns a sum of `count` codes into their mean.
FixedFactor dividedBy(FixedFactor factor, std::int64_t count)
{
    const int bits = std::clamp(63 - std::countl_zero(std::uint64_t(count)), 0,
                                std::clamp(31 + factor.shift, 0, 32));
    return {std::int32_t((std::int64_t(factor.value) << bits) / count), factor.shift - bits};
}

Status reduceCodes(KernelContext& context, bool isMean)
{
    RETURN_IF_ERROR(checkCodes(context, 2, {0}));
    ASSIGN_OR_RETURN(const auto in, codeScale(context, "in0"));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    ASSIGN_OR_RETURN(const auto shape, ReducedShape::of(context));
    const DType dtype = context.input(0).dtype();
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, dtype, shape.output));
    ASSIGN_OR_RETURN(auto sums, Scratch<std::int32_t>::make(context.session().pool, y.elements()));
    std::ranges::fill(sums.all(), 0);
    if (!shape.inputIsEmpty)
        dispatch(Codes(), dtype, [&](auto kind) {
            const auto* x = context.input(0).as<decltype(kind)>().data();
            eachReducedRun(shape, [&](std::int64_t from, std::int64_t to, ReducedShape::Axis axis) {
                for (std::int64_t i = 0; i < axis.size; ++i) {
                    std::int32_t& sum = sums[to + i * axis.outStep];
                    sum = wrappingSum(sum, x[from + i] - in.zero);
                }
                return true;
            });
        });
    FixedFactor factor = FixedFactor::of(double(in.scale) / double(out.scale));
    if (isMean && shape.count > 0)
        factor = dividedBy(factor, shape.count);
    const CodeBounds bounds = CodeBounds::of(dtype);
    std::ranges::transform(sums.all(), y.mutableAs<std::uint8_t>().begin(), [&](std::int32_t sum) {
        return std::uint8_t(bounds.held(times(sum, factor) + out.zero));
    });
    return Done{};
}

Status runMean(KernelContext& context)
{
    return reduceCodes(context, true);
}

Status runSum(KernelContext& context)
{
    return reduceCodes(context, false);
}

// One axis of a picture: the two source pixels of each new pixel; positions in units of 2^-10.
struct FineAxis {
    static constexpr std::int64_t one = 1 << 10;
    std::int64_t input = 1;
    std::int64_t step = 0;
    bool isHalf = false;

    FineAxis(std::int64_t in, std::int64_t out, bool alignsCorners, bool isHalfPixel)
        : input(in)
        , step((one * in + out / 2) / out)
        , isHalf(isHalfPixel)
    {
        if (alignsCorners && out > 1)
            step = (one * (in - 1) + (out - 1) / 2) / (out - 1);
    }
    std::int64_t place(std::int64_t at) const
    {
        return at * step + (isHalf ? step / 2 - one / 2 : 0);
    }
    std::int64_t lower(std::int64_t place) const
    {
        return std::clamp<std::int64_t>(place / one, 0, input - 1);
    }
    std::int64_t upper(std::int64_t place) const
    {
        return std::min((place + one - 1) / one, input - 1);
    }
};

// The same for unsigned codes, with positions in float.
struct FloatAxis {
    std::int64_t input = 0;
    float scale = 0;
    bool isHalf = false;

    FloatAxis(std::int64_t in, std::int64_t out, bool alignsCorners, bool isHalfPixel)
        : input(in)
        , scale(float(in) / float(out))
        , isHalf(isHalfPixel)
    {
        if (alignsCorners && out > 1)
            scale = float(in - 1) / float(out - 1);
    }
    float place(std::int64_t at) const
    {
        return isHalf ? (float(at) + 0.5F) * scale - 0.5F : float(at) * scale;
    }
    std::int64_t lower(float place) const
    {
        return std::max<std::int64_t>(std::int64_t(std::floor(place)), 0);
    }
    std::int64_t upper(float place) const
    {
        return std::min(std::int64_t(std::ceil(place)), input - 1);
    }
};

struct Resizing {
    Dims x;
    Dims size;
    bool aligns = false;
    bool isHalf = false;
};

void resizeUnsigned(const Resizing& r, const std::uint8_t* from, std::uint8_t* to)
{
    const Dims& x = r.x;
    const FloatAxis rows(x[1], r.size[0], r.aligns, r.isHalf);
    const FloatAxis columns(x[2], r.size[1], r.aligns, r.isHalf);
    parallelFor(x[0] * r.size[0], r.size[1] * x[3] * 4 + 1, [&](auto begin, auto end) {
        for (std::int64_t line = begin; line < end; ++line) {
            const std::int64_t first = line / r.size[0] * x[1];
            const float row = rows.place(line % r.size[0]);
            const float down = row - float(rows.lower(row));
            const std::uint8_t* upper = from + (first + rows.lower(row)) * x[2] * x[3];
            const std::uint8_t* lower = from + (first + rows.upper(row)) * x[2] * x[3];
            for (std::int64_t i = 0; i < r.size[1]; ++i) {
                const float column = columns.place(i);
                const std::int64_t left = columns.lower(column) * x[3];
                const std::int64_t right = columns.upper(column) * x[3];
                const float across = column - float(columns.lower(column));
                for (std::int64_t c = 0; c < x[3]; ++c)
                    to[(line * r.size[1] + i) * x[3] + c] =
                        std::uint8_t(float(upper[left + c]) * (1 - down) * (1 - across) +
                                     float(lower[left + c]) * down * (1 - across) +
                                     float(upper[right + c]) * (1 - down) * across +
                                     float(lower[right + c]) * down * across + 0.5F);
            }
        }
    });
}

void resizeSigned(const Resizing& r, const std::int8_t* from, std::int8_t* to)
{
    const Dims& x = r.x;
    const Dims& size = r.size;
    const FineAxis rows(x[1], size[0], r.aligns, r.isHalf);
    const FineAxis columns(x[2], size[1], r.aligns, r.isHalf);
    parallelFor(x[0] * size[0], size[1] * x[3] * 4 + 1, [&](auto begin, auto end) {
        for (std::int64_t line = begin; line < end; ++line) {
            const std::int64_t first = line / size[0] * x[1];
            const std::int64_t row = rows.place(line % size[0]);
            const std::int64_t above = rows.lower(row);
            const std::int64_t down = row - above * FineAxis::one;
            const std::int8_t* upper = from + (first + above) * x[2] * x[3];
            const std::int8_t* lower = from + (first + rows.upper(row)) * x[2] * x[3];
            for (std::int64_t i = 0; i < size[1]; ++i) {
                const std::int64_t column = columns.place(i);
                const std::int64_t left = columns.lower(column);
                const std::int64_t right = columns.upper(column);
                const std::int64_t across = column - left * FineAxis::one;
                for (std::int64_t c = 0; c < x[3]; ++c) {
                    const auto between = [&](const std::int8_t* in) {
                        return in[left * x[3] + c] * (FineAxis::one - across) +
                               in[right * x[3] + c] * across;
                    };
                    const std::int64_t sum =
                        between(upper) * (FineAxis::one - down) + between(lower) * down;
                    constexpr std::int64_t unit = FineAxis::one * FineAxis::one;
                    to[(line * size[1] + i) * x[3] + c] =
                        std::int8_t((sum + (sum > 0 ? unit / 2 : -unit / 2)) / unit);
                }
            }
        }
    });
}

Status runResizeBilinear(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 2, {0}));
    const Resizing r{context.input(0).dims(), context.input(1).integers(),
                     context.boolAttr("align_corners"), context.boolAttr("half_pixel_centers")};
    constexpr std::int64_t most = 1 << 20;
    const auto isSize = [](std::int64_t axis) { return axis >= 1 && axis <= most; };
    if (r.x.size() != 4 || r.size.size() != 2 || !isSize(r.x[1]) || !isSize(r.x[2]) ||
        !std::ranges::all_of(r.size, isSize))
        return context.error("cannot resize data of shape " + dimsText(r.x) + " to " +
                             dimsText(r.size));
    const DType dtype = context.input(0).dtype();
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, dtype, {r.x[0], r.size[0], r.size[1], r.x[3]}));
    if (dtype == DType::UInt8)
        resizeUnsigned(r, context.input(0).as<std::uint8_t>().data(),
                       y.mutableAs<std::uint8_t>().data());
    else
        resizeSigned(r, context.input(0).as<std::int8_t>().data(),
                     y.mutableAs<std::int8_t>().data());
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_Tflite_AVERAGE_POOL_2D, runAveragePool);
LAPIDARY_KERNEL(_Tflite_MEAN, runMean);
LAPIDARY_KERNEL(_Tflite_RESIZE_BILINEAR, runResizeBilinear);
LAPIDARY_KERNEL(_Tflite_SUM, runSum);

} // namespace lapidary
