// SPDX-License-Identifier: Apache-2.0
// ExtractImagePatches and ExtractVolumePatches: the pixels of the window at each position in one
// row, row by row of the window, channels last; zeros beyond the border.
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
    std::int64_t rate = 0; // distance between two taps
    std::int64_t before = 0;
    std::int64_t out = 0;
};
using Reaches = std::vector<Reach>; // outermost axis first

// Returns an attribute's sizes of the spatial axes; nothing if it is not a list of sizes that
// begins and ends with 1.
std::optional<std::vector<std::int64_t>> spatial(const KernelContext& context,
                                                 std::string_view name, std::size_t axes)
{
    auto list = context.attr(name).ints();
    constexpr std::int64_t most = 1 << 30;
    if (list.size() != axes + 2 || list.front() != 1 || list.back() != 1)
        return {};
    for (const std::int64_t x : list)
        if (x < 1 || x > most)
            return {};
    return std::vector(list.begin() + 1, list.end() - 1);
}

Status placeReach(const KernelContext& context, Reach& axis)
{
    const std::string_view padding = context.stringAttr("padding");
    if (padding != "SAME" && padding != "VALID")
        return context.error("padding must be SAME or VALID");
    const std::int64_t span = (axis.taps - 1) * axis.rate + 1;
    if (padding == "VALID") {
        // A window that is too large by less than a stride gives no patches.
        axis.out = (axis.size - span + axis.stride) / axis.stride;
        return axis.out < 0 ? context.error("the window is larger than the image") : Status(Done{});
    }
    axis.out = (axis.size + axis.stride - 1) / axis.stride;
    axis.before = std::max<std::int64_t>((axis.out - 1) * axis.stride + span - axis.size, 0) / 2;
    return Done{};
}

Result<Reaches> reachOf(const KernelContext& context, std::size_t axes)
{
    const Value& images = context.input(0);
    const auto sizes = spatial(context, "ksizes", axes);
    const auto strides = spatial(context, "strides", axes);
    const auto rates = context.node().op() == "ExtractVolumePatches"
                           ? std::vector<std::int64_t>(axes, 1)
                           : spatial(context, "rates", axes);
    if (!sizes || !strides || !rates)
        return context.error("ksizes, strides and rates must be " + std::to_string(axes + 2) +
                             " numbers above 0 with 1 for batch and depth");
    Reaches reach;
    for (std::size_t i = 0; i < axes; ++i) {
        reach.push_back({.size = images.dim(int(i) + 1),
                         .taps = (*sizes)[i],
                         .stride = (*strides)[i],
                         .rate = (*rates)[i]});
        RETURN_IF_ERROR(placeReach(context, reach.back()));
    }
    return reach;
}

// Copies the patch at position `at` (one number for all axes) of the image `from`; pixels have
// `pixel` bytes.
char* copyPatch(const char* from, const Reaches& axes, std::int64_t at, std::size_t pixel, char* to)
{
    std::array<std::int64_t, 3> corner{};
    std::int64_t taps = 1;
    for (std::size_t i = axes.size(); i-- > 0; at /= axes[i].out) {
        corner[i] = at % axes[i].out * axes[i].stride - axes[i].before;
        taps *= axes[i].taps;
    }
    for (std::int64_t tap = 0; tap < taps; ++tap, to += pixel) {
        std::int64_t rest = tap;
        std::int64_t place = 0;
        std::int64_t step = 1;
        for (std::size_t i = axes.size(); i-- > 0; rest /= axes[i].taps) {
            const std::int64_t here = corner[i] + rest % axes[i].taps * axes[i].rate;
            place = place < 0 || here < 0 || here >= axes[i].size ? -1 : place + here * step;
            step *= axes[i].size;
        }
        if (place < 0)
            std::memset(to, 0, pixel);
        else
            std::memcpy(to, from + std::size_t(place) * pixel, pixel);
    }
    return to;
}

template <std::size_t spatialAxes>
Status runExtractPatches(KernelContext& context)
{
    const Value& images = context.input(0);
    ASSIGN_OR_RETURN(const auto reach, reachOf(context, spatialAxes));
    Dims dims{images.dim(0)};
    std::int64_t positions = 1;
    std::int64_t depth = images.dims().back();
    for (const Reach& axis : reach) {
        dims.push_back(axis.out);
        positions *= axis.out;
        if (__builtin_mul_overflow(depth, axis.taps, &depth))
            return context.error("the patches are too large");
    }
    dims.push_back(depth);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, images.dtype(), dims));
    if (out.elements() == 0)
        return Done{};
    const std::size_t pixel = std::size_t(images.dims().back()) * dtypeSize(images.dtype());
    const std::size_t image = images.byteCount() / std::size_t(images.dim(0));
    auto* to = reinterpret_cast<char*>(out.mutableAs<std::uint8_t>().data());
    const char* from = images.bytes().data();
    for (std::int64_t n = 0; n < images.dim(0); ++n, from += image)
        for (std::int64_t at = 0; at < positions; ++at) {
            if (context.job().cancelled())
                return cancelledError();
            to = copyPatch(from, reach, at, pixel, to);
        }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ExtractImagePatches, runExtractPatches<2>, .ranks = {Rank::Four});
LAPIDARY_KERNEL(ExtractVolumePatches, runExtractPatches<3>, .ranks = {Rank::Five});

} // namespace lapidary
