// SPDX-License-Identifier: Apache-2.0
// ExtractImagePatches: at each position of a window its pixels in one row, row by row of the
// window, channels last; zeros beyond the border.
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

// The window along one axis.
struct Reach {
    std::int64_t size = 0; // of the image
    std::int64_t taps = 0;
    std::int64_t stride = 0;
    std::int64_t rate = 0; // distance of two taps
    std::int64_t before = 0;
    std::int64_t out = 0;
};

std::optional<std::array<std::int64_t, 2>> spatial(const KernelContext& context,
                                                   std::string_view name)
{
    const auto list = context.attr(name).ints();
    constexpr std::int64_t most = 1 << 30;
    if (list.size() != 4 || list[0] != 1 || list[3] != 1)
        return {};
    for (const std::int64_t x : list)
        if (x < 1 || x > most)
            return {};
    return std::array{list[1], list[2]};
}

Result<std::array<Reach, 2>> reachOf(const KernelContext& context)
{
    const Value& images = context.input(0);
    if (images.rank() != 4)
        return context.error("images must be 4-dimensional, got shape " + dimsText(images.dims()));
    const auto sizes = spatial(context, "ksizes");
    const auto strides = spatial(context, "strides");
    const auto rates = spatial(context, "rates");
    if (!sizes || !strides || !rates)
        return context.error("ksizes, strides and rates must be four numbers above 0 with 1 for "
                             "batch and depth");
    const std::string_view padding = context.stringAttr("padding");
    if (padding != "SAME" && padding != "VALID")
        return context.error("padding must be SAME or VALID");
    std::array<Reach, 2> reach;
    for (std::size_t i = 0; i < 2; ++i) {
        Reach& axis = reach[i];
        axis.size = images.dim(int(i) + 1);
        axis.taps = (*sizes)[i];
        axis.stride = (*strides)[i];
        axis.rate = (*rates)[i];
        const std::int64_t span = (axis.taps - 1) * axis.rate + 1;
        if (padding == "VALID") {
            // Nothing comes of a window that is too large by less than a stride.
            axis.out = (axis.size - span + axis.stride) / axis.stride;
            if (axis.out < 0)
                return context.error("the window is larger than the image");
        } else {
            axis.out = (axis.size + axis.stride - 1) / axis.stride;
            axis.before =
                std::max<std::int64_t>((axis.out - 1) * axis.stride + span - axis.size, 0) / 2;
        }
    }
    return reach;
}

// One patch, at image `from`; pixels are `pixel` bytes.
char* copyPatch(const char* from, const Reach& rows, const Reach& columns, std::int64_t y,
                std::int64_t x, std::size_t pixel, char* to)
{
    for (std::int64_t i = 0; i < rows.taps; ++i) {
        const std::int64_t row = y * rows.stride - rows.before + i * rows.rate;
        for (std::int64_t j = 0; j < columns.taps; ++j, to += pixel) {
            const std::int64_t column = x * columns.stride - columns.before + j * columns.rate;
            if (row < 0 || row >= rows.size || column < 0 || column >= columns.size)
                std::memset(to, 0, pixel);
            else
                std::memcpy(to, from + std::size_t(row * columns.size + column) * pixel, pixel);
        }
    }
    return to;
}

Status runExtractImagePatches(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto reach, reachOf(context));
    const auto& [rows, columns] = reach;
    const Value& images = context.input(0);
    std::int64_t depth = 0;
    if (__builtin_mul_overflow(rows.taps * columns.taps, images.dim(3), &depth))
        return context.error("the patches are too large");
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, images.dtype(),
                                                  {images.dim(0), rows.out, columns.out, depth}));
    if (out.elements() == 0)
        return Done{};
    const std::size_t pixel = std::size_t(images.dim(3)) * dtypeSize(images.dtype());
    auto* to = reinterpret_cast<char*>(out.mutableAs<std::uint8_t>().data());
    const char* from = images.bytes().data();
    for (std::int64_t n = 0; n < images.dim(0); ++n) {
        for (std::int64_t y = 0; y < rows.out; ++y) {
            if (context.job().cancelled())
                return cancelledError();
            for (std::int64_t x = 0; x < columns.out; ++x)
                to = copyPatch(from, rows, columns, y, x, pixel, to);
        }
        from += std::size_t(rows.size * columns.size) * pixel;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ExtractImagePatches, runExtractImagePatches);

} // namespace lapidary
