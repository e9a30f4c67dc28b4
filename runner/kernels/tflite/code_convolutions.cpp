// SPDX-License-Identifier: Apache-2.0
// CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV of TFLite on 8-bit codes, as its reference kernels
// compute them: sums in 32 bits, each converted to a code by a fixed-point factor. CONV_2D on
// 16-bit data, too.
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/tflite/code_products.h"
#include "runner/kernels/tflite/wide_code_layer.h"
#include "runner/threads/parallel_for.h"

namespace lapidary {
namespace {

struct Windows {
    WindowAxis rows;
    WindowAxis columns;

    std::int64_t pixels(std::int64_t images) const { return images * rows.output * columns.output; }
};

// Returns the windows of [height, width] over an image of that size.
Result<Windows> windowsOf(const KernelContext& context, const Dims& image, const Dims& window)
{
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    Windows windows;
    windows.rows.stride = context.intAttr("stride_h", 1);
    windows.columns.stride = context.intAttr("stride_w", 1);
    windows.rows.dilation = context.intAttr("dilation_h_factor", 1);
    windows.columns.dilation = context.intAttr("dilation_w_factor", 1);
    for (auto [axis, input, kernel] : {std::tuple(&windows.rows, image[0], window[0]),
                                       std::tuple(&windows.columns, image[1], window[1])}) {
        axis->input = input;
        axis->kernel = kernel;
        RETURN_IF_ERROR(placeWindow(context, *axis, padding));
    }
    return windows;
}

Status checkRanks(const KernelContext& context, LayerSlots slots)
{
    RETURN_IF_ERROR(
        checkCodes(context, std::max(slots.data, slots.weights) + 1, {slots.data, slots.weights}));
    if (context.input(slots.data).rank() != 4 || context.input(slots.weights).rank() != 4)
        return context.error("data and weights must have rank 4, but are of shape " +
                             dimsText(context.input(slots.data).dims()) + " and " +
                             dimsText(context.input(slots.weights).dims()));
    return Done{};
}

// A pixel of the output.
struct Place {
    std::int64_t image;
    std::int64_t row;
    std::int64_t column;

    Place(std::int64_t at, std::int64_t rows, std::int64_t columns)
        : image(at / (rows * columns))
        , row(at / columns % rows)
        , column(at % columns)
    {
    }
};

// Calls use(index in the window, pixel in the input or -1) for each element of the window.
template <class Use>
void eachInWindow(const Windows& w, const Place& place, const Use& use)
{
    for (std::int64_t i = 0; i < w.rows.kernel; ++i) {
        const std::int64_t row = place.row * w.rows.stride - w.rows.before + i * w.rows.dilation;
        for (std::int64_t j = 0; j < w.columns.kernel; ++j) {
            const std::int64_t column =
                place.column * w.columns.stride - w.columns.before + j * w.columns.dilation;
            const bool isInside =
                row >= 0 && row < w.rows.input && column >= 0 && column < w.columns.input;
            use(i * w.columns.kernel + j,
                isInside ? (place.image * w.rows.input + row) * w.columns.input + column : -1);
        }
    }
}

// Weights are [out, height, width, in]; each group of inputs has some of the outputs.
Status runConv(KernelContext& context)
{
    RETURN_IF_ERROR(checkRanks(context, {}));
    const Dims x = context.input(0).dims();
    const Dims w = context.input(1).dims();
    if (w[0] == 0 || w[3] == 0 || x[3] % w[3] != 0 || x[3] == 0 || w[0] % (x[3] / w[3]) != 0)
        return context.error("weights of shape " + dimsText(w) + " do not fit data of shape " +
                             dimsText(x));
    ASSIGN_OR_RETURN(const auto windows, windowsOf(context, {x[1], x[2]}, {w[1], w[2]}));
    ASSIGN_OR_RETURN(const auto layer, CodeLayer::of(context, {}, w[0], LayerKind::Convolution));
    ASSIGN_OR_RETURN(auto y,
                     context.makeOutput(0, layer.dtype(),
                                        {x[0], windows.rows.output, windows.columns.output, w[0]}));
    const std::int64_t groups = x[3] / w[3];
    const std::int64_t perGroup = w[0] / groups;
    const std::int64_t places = w[1] * w[2];
    const std::int64_t depth = places * w[3];
    std::uint8_t* to = y.mutableAs<std::uint8_t>().data();
    parallelFor(windows.pixels(x[0]), depth * w[0] / 8 + 1, [&](auto begin, auto end) {
        std::vector<std::int16_t> patch(std::size_t(depth * groups));
        for (std::int64_t at = begin; at < end; ++at) {
            const Place place(at, windows.rows.output, windows.columns.output);
            eachInWindow(windows, place, [&](std::int64_t in, std::int64_t pixel) {
                for (std::int64_t g = 0; g < groups; ++g) {
                    std::int16_t* part = patch.data() + g * depth + in * w[3];
                    if (pixel < 0)
                        std::fill_n(part, w[3], std::int16_t(0));
                    else
                        std::copy_n(layer.data() + pixel * x[3] + g * w[3], w[3], part);
                }
            });
            for (std::int64_t c = 0; c < w[0]; ++c)
                to[at * w[0] + c] = layer.code(dotProduct(patch.data() + c / perGroup * depth,
                                                          layer.weights() + c * depth, depth),
                                               c);
        }
    });
    return Done{};
}

// Convolution for data of 16 bits, whose sums take 64.
Status runWideConv(KernelContext& context)
{
    RETURN_IF_ERROR(checkWideCodes(context));
    const Dims x = context.input(0).dims();
    const Dims w = context.input(1).dims();
    if (x.size() != 4 || w.size() != 4 || w[0] == 0 || w[3] == 0 || x[3] == 0 || x[3] % w[3] != 0 ||
        w[0] % (x[3] / w[3]) != 0)
        return context.error("weights of shape " + dimsText(w) + " do not fit data of shape " +
                             dimsText(x));
    ASSIGN_OR_RETURN(const auto windows, windowsOf(context, {x[1], x[2]}, {w[1], w[2]}));
    ASSIGN_OR_RETURN(const auto layer, WideCodeLayer::of(context, w[0]));
    ASSIGN_OR_RETURN(auto y,
                     context.makeOutput(0, DType::Int16,
                                        {x[0], windows.rows.output, windows.columns.output, w[0]}));
    const auto outputs = std::size_t(w[0]);
    const std::int64_t perGroup = w[0] / (x[3] / w[3]);
    const std::int64_t depth = w[1] * w[2] * w[3];
    std::int16_t* to = y.mutableAs<std::int16_t>().data();
    parallelFor(windows.pixels(x[0]), depth * w[0] / 4 + 1, [&](auto begin, auto end) {
        std::vector<std::int64_t> sums(outputs, 0);
        for (std::int64_t at = begin; at < end; ++at) {
            std::ranges::fill(sums, 0);
            const Place place(at, windows.rows.output, windows.columns.output);
            eachInWindow(windows, place, [&](std::int64_t in, std::int64_t pixel) {
                for (std::int64_t c = 0; pixel >= 0 && c < w[0]; ++c)
                    sums[std::size_t(c)] += layer.product(pixel * x[3] + c / perGroup * w[3],
                                                          c * depth + in * w[3], w[3]);
            });
            for (std::int64_t c = 0; c < w[0]; ++c)
                to[at * w[0] + c] = layer.code(sums[std::size_t(c)], c);
        }
    });
    return Done{};
}

// Weights are [1, height, width, in * multiplier].
Status runDepthwise(KernelContext& context)
{
    RETURN_IF_ERROR(checkRanks(context, {}));
    const Dims x = context.input(0).dims();
    const Dims w = context.input(1).dims();
    if (w[0] != 1 || x[3] == 0 || w[3] % x[3] != 0)
        return context.error("weights of shape " + dimsText(w) + " do not fit data of shape " +
                             dimsText(x));
    ASSIGN_OR_RETURN(const auto windows, windowsOf(context, {x[1], x[2]}, {w[1], w[2]}));
    ASSIGN_OR_RETURN(const auto layer, CodeLayer::of(context, {}, w[3], LayerKind::Convolution));
    ASSIGN_OR_RETURN(auto y,
                     context.makeOutput(0, layer.dtype(),
                                        {x[0], windows.rows.output, windows.columns.output, w[3]}));
    const auto outputs = std::size_t(w[3]);
    const std::int64_t multiplier = w[3] / x[3];
    std::uint8_t* to = y.mutableAs<std::uint8_t>().data();
    parallelFor(windows.pixels(x[0]), w[1] * w[2] * w[3] / 4 + 1, [&](auto begin, auto end) {
        std::vector<std::int32_t> sums(outputs, 0);
        for (std::int64_t at = begin; at < end; ++at) {
            std::ranges::fill(sums, 0);
            const Place place(at, windows.rows.output, windows.columns.output);
            eachInWindow(windows, place, [&](std::int64_t in, std::int64_t pixel) {
                if (pixel < 0)
                    return;
                const std::int16_t* data = layer.data() + pixel * x[3];
                const std::int16_t* weights = layer.weights() + in * w[3];
                for (std::int64_t c = 0; c < x[3]; ++c)
                    for (std::int64_t k = c * multiplier; k < (c + 1) * multiplier; ++k)
                        sums[std::size_t(k)] =
                            wrappingSum(sums[std::size_t(k)], std::int32_t(data[c]) * weights[k]);
            });
            for (std::int64_t c = 0; c < w[3]; ++c)
                to[at * w[3] + c] = layer.code(sums[std::size_t(c)], c);
        }
    });
    return Done{};
}

// Returns the input that contributes to an output at an element of the window; -1 if there is none.
std::int64_t sourceOf(const WindowAxis& axis, std::int64_t output, std::int64_t element)
{
    const std::int64_t moved = output + axis.before - element;
    if (moved < 0 || moved % axis.stride != 0)
        return -1;
    const std::int64_t source = moved / axis.stride;
    return source < axis.output ? source : -1;
}

// Inputs: sizes, weights [out, height, width, in], data, bias. The window moves over the output.
Status runTransposeConv(KernelContext& context)
{
    constexpr LayerSlots slots{.data = 2, .weights = 1, .bias = 3};
    RETURN_IF_ERROR(checkRanks(context, slots));
    const Dims x = context.input(2).dims();
    const Dims w = context.input(1).dims();
    const Dims sizes = context.input(0).integers();
    if (sizes.size() != 4 || sizes[0] != x[0] || sizes[3] != w[0] || w[3] != x[3] ||
        std::ranges::any_of(sizes, [](std::int64_t size) { return size < 1; }))
        return context.error("weights of shape " + dimsText(w) + " and data of shape " +
                             dimsText(x) + " do not fit an output of shape " + dimsText(sizes));
    ASSIGN_OR_RETURN(auto windows, windowsOf(context, {sizes[1], sizes[2]}, {w[1], w[2]}));
    windows.rows.output = x[1];
    windows.columns.output = x[2];
    ASSIGN_OR_RETURN(const auto layer, CodeLayer::of(context, slots, w[0], LayerKind::Convolution));
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, layer.dtype(), sizes));
    std::uint8_t* to = y.mutableAs<std::uint8_t>().data();
    const auto outputs = std::size_t(w[0]);
    const std::int64_t cost = w[0] * w[1] * w[2] * w[3] / 8 + 1;
    parallelFor(sizes[0] * sizes[1] * sizes[2], cost, [&](auto begin, auto end) {
        std::vector<std::int32_t> sums(outputs, 0);
        for (std::int64_t at = begin; at < end; ++at) {
            std::ranges::fill(sums, 0);
            const Place place(at, sizes[1], sizes[2]);
            for (std::int64_t in = 0; in < w[1] * w[2]; ++in) {
                const std::int64_t row = sourceOf(windows.rows, place.row, in / w[2]);
                const std::int64_t column = sourceOf(windows.columns, place.column, in % w[2]);
                if (row < 0 || column < 0)
                    continue;
                const std::int16_t* data =
                    layer.data() + ((place.image * x[1] + row) * x[2] + column) * x[3];
                for (std::int64_t c = 0; c < w[0]; ++c)
                    sums[std::size_t(c)] = wrappingSum(
                        sums[std::size_t(c)],
                        dotProduct(data, layer.weights() + (c * w[1] * w[2] + in) * w[3], w[3]));
            }
            for (std::int64_t c = 0; c < w[0]; ++c)
                to[at * w[0] + c] = layer.code(sums[std::size_t(c)], c);
        }
    });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_Tflite_CONV_2D, runConv);
LAPIDARY_KERNEL(_Tflite_CONV_2D_16X8, runWideConv);
LAPIDARY_KERNEL(_Tflite_DEPTHWISE_CONV_2D, runDepthwise);
LAPIDARY_KERNEL(_Tflite_TRANSPOSE_CONV, runTransposeConv);

} // namespace lapidary
