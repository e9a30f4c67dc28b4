// SPDX-License-Identifier: Apache-2.0
// ImageProjectiveTransformV2, V3: the pixel (x, y) of the result is the picture's at
//   ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with k = c0 x + c1 y + 1,
// where a row of `transforms`, one for all pictures or one for each, is a0 a1 a2 b0 b1 b2 c0 c1.
// Between pixels it is the nearest, or four of them linearly. Beyond the border it is a number
// (CONSTANT, the only mode in which border pixels are blended with it), the border pixel (NEAREST),
// or the picture mirrored (REFLECT) or repeated (WRAP). Source: the documentation of the raw op.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/to_integer.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

using TransformedTypes =
    TypeList<std::uint8_t, std::int32_t, std::int64_t, Half, BFloat16, float, double>;

enum class BeyondBorder : std::uint8_t { Constant, Nearest, Reflect, Wrap };

// Maps any coordinate to one inside of the picture. In mode CONSTANT, those outside are unchanged.
float coordinateWithin(float at, std::int64_t size, BeyondBorder mode)
{
    const auto last = float(size - 1);
    if (mode == BeyondBorder::Constant)
        return at;
    if (size <= 1 || !std::isfinite(at))
        return 0;
    if (mode == BeyondBorder::Reflect) {
        const float twice = 2 * float(size);
        at -= twice * std::floor(at / twice);
        if (at >= float(size))
            at = twice - at - 1;
    } else if (mode == BeyondBorder::Wrap && at < 0) {
        at += float(size) * (std::trunc(-at / last) + 1);
    } else if (mode == BeyondBorder::Wrap && at > last) {
        at -= float(size) * std::trunc(at / last);
    }
    return std::clamp(at, 0.0F, last);
}

// One picture; its pixels beyond the border are `fill`.
template <class T>
struct TransformedPicture {
    std::span<const T> pixels;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
    T fill{};

    T at(float y, float x, std::int64_t channel) const
    {
        if (!(y >= 0 && y < float(height) && x >= 0 && x < float(width)))
            return fill;
        const auto row = std::int64_t(y);
        const auto column = std::int64_t(x);
        return pixels[std::size_t((row * width + column) * channels + channel)];
    }
    T between(float y, float x, std::int64_t channel) const
    {
        const float top = std::floor(y);
        const float left = std::floor(x);
        const auto row = [&](float line) {
            return (left + 1 - x) * float(at(line, left, channel)) +
                   (x - left) * float(at(line, left + 1, channel));
        };
        return numberFrom<T>((top + 1 - y) * row(top) + (y - top) * row(top + 1));
    }
};

struct ProjectiveOptions {
    BeyondBorder mode = BeyondBorder::Constant;
    bool isBilinear = false;
    float fill = 0;
};

Result<ProjectiveOptions> projectiveOptions(const KernelContext& context)
{
    ProjectiveOptions options;
    const std::string_view interpolation = context.stringAttr("interpolation");
    const std::string_view mode = context.stringAttr("fill_mode", "CONSTANT");
    options.isBilinear = interpolation == "BILINEAR";
    if (!options.isBilinear && interpolation != "NEAREST")
        return context.error("interpolation must be NEAREST or BILINEAR, but is " +
                             std::string(interpolation));
    if (mode == "NEAREST")
        options.mode = BeyondBorder::Nearest;
    else if (mode == "REFLECT")
        options.mode = BeyondBorder::Reflect;
    else if (mode == "WRAP")
        options.mode = BeyondBorder::Wrap;
    else if (mode != "CONSTANT")
        return context.error("fill_mode must be CONSTANT, NEAREST, REFLECT or WRAP, but is " +
                             std::string(mode));
    if (context.inputCount() > 3)
        options.fill = context.input(3).as<float>()[0];
    return options;
}

Status checkTransforms(const KernelContext& context)
{
    const Value& images = context.input(0);
    const Value& transforms = context.input(1);
    const auto sizes = context.input(2).as<std::int32_t>();
    if (transforms.dim(1) != 8 || (transforms.dim(0) != 1 && transforms.dim(0) != images.dim(0)))
        return context.error(
            "transforms must have 8 numbers for each of " + std::to_string(images.dim(0)) +
            " pictures, or for all, but their shape is " + dimsText(transforms.dims()));
    if (sizes.size() != 2 || sizes[0] <= 0 || sizes[1] <= 0)
        return context.error("output_shape must be a positive height and width");
    return Done{};
}

template <class T>
T transformedPixel(const TransformedPicture<T>& picture, std::span<const float> by, float y,
                   float x, std::int64_t channel, const ProjectiveOptions& options)
{
    const float k = by[6] * x + by[7] * y + 1;
    if (k == 0)
        return picture.fill;
    const float fromX =
        coordinateWithin((by[0] * x + by[1] * y + by[2]) / k, picture.width, options.mode);
    const float fromY =
        coordinateWithin((by[3] * x + by[4] * y + by[5]) / k, picture.height, options.mode);
    return options.isBilinear ? picture.between(fromY, fromX, channel)
                              : picture.at(std::round(fromY), std::round(fromX), channel);
}

template <class T>
Status transformPictures(const KernelContext& context, std::span<T> out, const Dims& dims,
                         const ProjectiveOptions& options)
{
    const Value& images = context.input(0);
    const auto transforms = context.input(1).as<float>();
    const bool isOneForAll = context.input(1).dim(0) == 1;
    TransformedPicture<T> picture{
        {}, images.dim(1), images.dim(2), images.dim(3), numberFrom<T>(options.fill)};
    const auto each = std::size_t(picture.height * picture.width * picture.channels);
    std::size_t to = 0;
    for (std::size_t n = 0; n < std::size_t(dims[0]); ++n) {
        picture.pixels = images.as<T>().subspan(n * each, each);
        const auto by = transforms.subspan(isOneForAll ? 0 : 8 * n, 8);
        for (std::int64_t y = 0; y < dims[1]; ++y) {
            if (context.job().cancelled())
                return cancelledError();
            for (std::int64_t x = 0; x < dims[2]; ++x)
                for (std::int64_t channel = 0; channel < dims[3]; ++channel)
                    out[to++] = transformedPixel(picture, by, float(y), float(x), channel, options);
        }
    }
    return Done{};
}

Status runProjective(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto options, projectiveOptions(context));
    RETURN_IF_ERROR(checkTransforms(context));
    const Value& images = context.input(0);
    const auto sizes = context.input(2).as<std::int32_t>();
    const Dims dims{images.dim(0), sizes[0], sizes[1], images.dim(3)};
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, images.dtype(), dims));
    Status status = Done{};
    const bool known = dispatch(TransformedTypes(), images.dtype(), [&](auto zero) {
        using T = decltype(zero);
        status = transformPictures(context, made.template mutableAs<T>(), dims, options);
    });
    return known ? status : Status(context.error("has no kernel for " + dtypeName(images.dtype())));
}

} // namespace

LAPIDARY_KERNEL(ImageProjectiveTransformV2, runProjective,
                .ranks = {Rank::Four, Rank::Matrix, Rank::Vector});
LAPIDARY_KERNEL(ImageProjectiveTransformV3, runProjective,
                .ranks = {Rank::Four, Rank::Matrix, Rank::Vector, Rank::Scalar});

} // namespace lapidary
