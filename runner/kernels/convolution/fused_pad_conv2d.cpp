// SPDX-License-Identifier: Apache-2.0
// FusedPadConv2D, FusedResizeAndPadConv2D: (a bilinear resize and) a mirror padding of rows and
// columns before a convolution (spec: kernels, A3.5 and A3.6). The window's position follows the
// original's own rule, see offsetOf; every image of a batch is computed from its own rows.
#include "runner/kernels/convolution/convolve.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/image/resize_grid.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

// Holds for each row (or column) of the padded image the row of the image that it mirrors.
using Mirror = std::vector<std::int64_t>;

Result<Mirror> mirrorOf(const KernelContext& context, std::int64_t size, std::int64_t before,
                        std::int64_t after, bool reflect)
{
    const std::int64_t most = reflect ? size - 1 : size;
    if (before < 0 || after < 0 || before > most || after > most)
        return context.error("paddings " + std::to_string(before) + " and " +
                             std::to_string(after) + " do not fit the size " +
                             std::to_string(size));
    const std::int64_t edge = reflect ? 0 : 1;
    Mirror mirror;
    for (std::int64_t i = -before; i < size + after; ++i)
        mirror.push_back(i < 0 ? -i - edge : i >= size ? 2 * (size - 1) - i + edge : i);
    return mirror;
}

struct Padded {
    Mirror rows;
    Mirror columns;
};

Result<Padded> paddedOf(const KernelContext& context, const Value& paddings, const Dims& image)
{
    if (paddings.dims() != Dims{4, 2})
        return context.error("paddings must be [4,2], but is " + dimsText(paddings.dims()));
    const std::string_view mode = context.stringAttr("mode");
    if (mode != "REFLECT" && mode != "SYMMETRIC")
        return context.error("mode must be REFLECT or SYMMETRIC, but is '" + std::string(mode) +
                             "'");
    const auto pads = paddings.integers();
    if (pads[0] != 0 || pads[1] != 0 || pads[6] != 0 || pads[7] != 0)
        return context.error("paddings of the batch and the channels must be 0");
    auto rows = mirrorOf(context, image[1], pads[2], pads[3], mode == "REFLECT");
    auto columns = mirrorOf(context, image[2], pads[4], pads[5], mode == "REFLECT");
    if (!rows || !columns)
        return rows ? columns.error() : rows.error();
    return Padded{std::move(rows).value(), std::move(columns).value()};
}

// Returns the padding before the first row of the first window; negative: the number of first rows
// in no window.
std::int64_t offsetOf(const WindowAxis& axis, Padding padding)
{
    const std::int64_t rest = (axis.output - 1) * axis.stride + axis.kernel - axis.input;
    return (padding == Padding::Same ? rest : rest + 1) / 2;
}

Status placeMirrored(const KernelContext& context, WindowAxis& axis, Mirror& mirror,
                     Padding padding)
{
    axis.input = std::int64_t(mirror.size());
    RETURN_IF_ERROR(placeWindow(context, axis, padding));
    axis.before = offsetOf(axis, padding);
    if (axis.before < 0) {
        mirror.erase(mirror.begin(),
                     mirror.begin() + std::min<std::int64_t>(-axis.before, axis.input));
        axis.input = std::int64_t(mirror.size());
        axis.before = 0;
    }
    return Done{};
}

Result<Value> copyMirrored(KernelContext& context, const Value& image, const Padded& padded)
{
    const std::int64_t pixel = image.dim(3) * std::int64_t(dtypeSize(image.dtype()));
    auto made =
        context.allocate(image.dtype(), {image.dim(0), std::int64_t(padded.rows.size()),
                                         std::int64_t(padded.columns.size()), image.dim(3)});
    if (!made)
        return made;
    const char* from = image.bytes().data();
    char* to = reinterpret_cast<char*>(made->mutableAs<std::uint8_t>().data());
    for (std::int64_t n = 0; n < image.dim(0); ++n)
        for (const std::int64_t row : padded.rows)
            for (const std::int64_t column : padded.columns) {
                const std::int64_t at = (n * image.dim(1) + row) * image.dim(2) + column;
                std::memcpy(to, from + at * pixel, std::size_t(pixel));
                to += pixel;
            }
    return made;
}

// Computes the convolution of an image that is not padded yet.
Status convolvePadded(KernelContext& context, const Value& image, const Value& paddings,
                      const Value& filter)
{
    if (filter.rank() != 4 || image.dim(3) != filter.dim(2))
        return context.error("input and filter must have the same depth, but are " +
                             dimsText(image.dims()) + " and " + dimsText(filter.dims()));
    ASSIGN_OR_RETURN(auto padded, paddedOf(context, paddings, image.dims()));
    ASSIGN_OR_RETURN(auto attributes, convAttributes(context, 2));
    WindowAxis rows = attributes.axes[0];
    WindowAxis columns = attributes.axes[1];
    rows.kernel = filter.dim(0);
    columns.kernel = filter.dim(1);
    const Padding padding = attributes.padding;
    Status placed = placeMirrored(context, rows, padded.rows, padding);
    if (placed)
        placed = placeMirrored(context, columns, padded.columns, padding);
    if (!placed)
        return placed;
    if (image.dim(0) * rows.output * columns.output * filter.dim(3) == 0)
        return context.error("the output would be empty");
    ASSIGN_OR_RETURN(const auto source, copyMirrored(context, image, padded));
    const Conv2dGeometry geometry{.batch = image.dim(0),
                                  .inChannels = image.dim(3),
                                  .outChannels = filter.dim(3),
                                  .rows = rows,
                                  .columns = columns};
    auto y = convolve(context, geometry, source, filter, context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

Status checkImage(const KernelContext& context)
{
    const Value& image = context.input(0);
    if (image.rank() != 4)
        return context.error("input must be 4-dimensional, but is " + dimsText(image.dims()));
    return image.elements() == 0 ? Status(context.error("the input must not be empty"))
                                 : Status(Done{});
}

Status runFusedPadConv2D(KernelContext& context)
{
    RETURN_IF_ERROR(checkImage(context));
    return convolvePadded(context, context.input(0), context.input(1), context.input(2));
}

// Computes one row of the result from two rows of the image, in the image's own type.
template <class T>
void blendRow(const ResizeGrid& grid, const T* top, const T* bottom, float down, T* out)
{
    using W = decltype(wide(T()));
    for (std::int64_t x = 0; x < grid.outWidth; ++x) {
        const float at = grid.source(x, grid.widthScale);
        const auto left = std::min(std::int64_t(at), grid.width - 1);
        const auto right = std::min(left + 1, grid.width - 1);
        const W across = W(at - float(left));
        for (std::int64_t c = 0; c < grid.channels; ++c) {
            const auto blend = [&](const T* row) {
                const W from = wide(row[left * grid.channels + c]);
                return from + (W(wide(row[right * grid.channels + c])) - from) * across;
            };
            const W upper = blend(top);
            *out++ = T(upper + (blend(bottom) - upper) * W(down));
        }
    }
}

Result<Value> resized(KernelContext& context, const Value& image, const ResizeGrid& grid)
{
    auto made = context.allocate(image.dtype(), grid.outDims());
    if (!made)
        return made;
    const bool known = dispatch(TypeList<float, double, Half>(), image.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const std::int64_t line = grid.width * grid.channels;
        T* out = made->template mutableAs<T>().data();
        for (std::int64_t row = 0; row < grid.batch * grid.outHeight; ++row) {
            const float at = grid.source(row % grid.outHeight, grid.heightScale);
            const auto top = std::min(std::int64_t(at), grid.height - 1);
            const auto bottom = std::min(top + 1, grid.height - 1);
            const T* plane = image.as<T>().data() + row / grid.outHeight * grid.height * line;
            blendRow(grid, plane + top * line, plane + bottom * line, at - float(top),
                     out + row * grid.outWidth * grid.channels);
        }
    });
    return known ? made : context.error("has no kernel for " + dtypeName(image.dtype()));
}

Status runResized(KernelContext& context)
{
    RETURN_IF_ERROR(checkImage(context));
    const Value& image = context.input(0);
    ASSIGN_OR_RETURN(const auto grid, resizeGrid(context, image, context.input(1),
                                                 context.boolAttr("resize_align_corners"), false));
    ASSIGN_OR_RETURN(const auto source, resized(context, image, grid));
    return convolvePadded(context, source, context.input(2), context.input(3));
}

} // namespace

LAPIDARY_KERNEL(FusedPadConv2D, runFusedPadConv2D);
LAPIDARY_KERNEL(FusedResizeAndPadConv2D, runResized);

} // namespace lapidary
