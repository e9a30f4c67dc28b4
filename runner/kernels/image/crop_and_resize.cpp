// SPDX-License-Identifier: Apache-2.0
// CropAndResize: cuts boxes out of images and resizes each to the same size. Boxes are y1, x1, y2,
// x2, where 0 is the center of the first pixel and 1 that of the last; pixels outside the image get
// the extrapolation value.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

struct CropSize {
    std::int64_t height = 0;
    std::int64_t width = 0;
};

// The source coordinates of a crop along one axis.
struct Track {
    float start;
    float step;
    float size; // the last coordinate in the image

    Track(float from, float to, std::int64_t extent, std::int64_t count)
        : start(count > 1 ? from * float(extent - 1)
                          : float(0.5 * (double(from) + double(to)) * double(extent - 1)))
        , step(count > 1 ? (to - from) * float(extent - 1) / float(count - 1) : 0.0F)
        , size(float(extent - 1))
    {
    }
    float at(std::int64_t i) const { return start + float(i) * step; }
    // Returns false also for NaN, which products of very large coordinates give.
    bool contains(float position) const { return position >= 0.0F && position <= size; }
};

template <class T>
class Cropper {
public:
    Cropper(const Value& images, CropSize crop, bool nearest, float outside)
        : m_images(images)
        , m_crop(crop)
        , m_outside(outside)
        , m_nearest(nearest)
    {
    }

    void cut(std::int64_t image, std::span<const float> box, float* out) const
    {
        const std::int64_t channels = m_images.dim(3);
        const Track rows(box[0], box[2], m_images.dim(1), m_crop.height);
        const Track columns(box[1], box[3], m_images.dim(2), m_crop.width);
        for (std::int64_t y = 0; y < m_crop.height; ++y) {
            const float row = rows.at(y);
            for (std::int64_t x = 0; x < m_crop.width; ++x, out += channels) {
                const float column = columns.at(x);
                if (!rows.contains(row) || !columns.contains(column))
                    std::fill_n(out, channels, m_outside);
                else if (m_nearest)
                    copyPixel(image, std::round(row), std::round(column), out);
                else
                    mixPixels(image, row, column, out);
            }
        }
    }

private:
    // Clamps the position, because floats above 2^24 may be rounded to a pixel outside.
    const T* pixel(std::int64_t image, float row, float column) const
    {
        const std::int64_t y = std::min(std::int64_t(row), m_images.dim(1) - 1);
        const std::int64_t x = std::min(std::int64_t(column), m_images.dim(2) - 1);
        return m_images.as<T>().data() +
               ((image * m_images.dim(1) + y) * m_images.dim(2) + x) * m_images.dim(3);
    }

    void copyPixel(std::int64_t image, float row, float column, float* out) const
    {
        const T* from = pixel(image, row, column);
        std::transform(from, from + m_images.dim(3), out, [](T x) { return float(x); });
    }

    void mixPixels(std::int64_t image, float row, float column, float* out) const
    {
        const float top = std::floor(row);
        const float left = std::floor(column);
        const float down = row - top;
        const float along = column - left;
        const T* topLeft = pixel(image, top, left);
        const T* topRight = pixel(image, top, std::ceil(column));
        const T* bottomLeft = pixel(image, std::ceil(row), left);
        const T* bottomRight = pixel(image, std::ceil(row), std::ceil(column));
        for (std::int64_t c = 0; c < m_images.dim(3); ++c) {
            const float upper =
                float(topLeft[c]) + (float(topRight[c]) - float(topLeft[c])) * along;
            const float lower =
                float(bottomLeft[c]) + (float(bottomRight[c]) - float(bottomLeft[c])) * along;
            out[c] = upper + (lower - upper) * down;
        }
    }

    const Value& m_images;
    CropSize m_crop;
    float m_outside;
    bool m_nearest;
};

std::string cropFault(const Value& images, const Value& boxes, const Value& owners,
                      const Value& size)
{
    if (images.rank() != 4)
        return "input image must be 4-D, got shape " + dimsText(images.dims());
    if (images.dim(1) <= 0 || images.dim(2) <= 0)
        return "image dimensions must be positive";
    if (boxes.rank() != 2)
        return "boxes must be 2-D, got shape " + dimsText(boxes.dims());
    if (boxes.dim(1) != 4)
        return "boxes must have 4 columns";
    if (!owners.isVector())
        return "box_index must be 1-D, got shape " + dimsText(owners.dims());
    if (owners.dim(0) != boxes.dim(0))
        return "box_index has " + std::to_string(owners.dim(0)) + " elements for " +
               std::to_string(boxes.dim(0)) + " boxes";
    if (!size.isVector())
        return "crop_size must be 1-D, got shape " + dimsText(size.dims());
    if (size.dim(0) != 2)
        return "crop_size must have two elements, got shape " + dimsText(size.dims());
    if (size.as<std::int32_t>()[0] <= 0 || size.as<std::int32_t>()[1] <= 0)
        return "crop dimensions must be positive";
    const auto isOutside = [&](std::int32_t i) { return i < 0 || i >= images.dim(0); };
    if (std::ranges::any_of(owners.as<std::int32_t>(), isOutside))
        return "box_index has values outside [0, batch_size)";
    if (std::ranges::any_of(boxes.as<float>(), [](float x) { return !std::isfinite(x); }))
        return "boxes must be finite numbers";
    return {};
}

template <class T>
Status cutAll(const KernelContext& context, CropSize crop, bool nearest, std::span<float> out)
{
    const Value& images = context.input(0);
    const Cropper<T> cropper(images, crop, nearest, context.floatAttr("extrapolation_value"));
    const auto boxes = context.input(1).as<float>();
    const auto owners = context.input(2).as<std::int32_t>();
    const auto each = std::size_t(crop.height * crop.width * images.dim(3));
    for (std::size_t b = 0; b < owners.size(); ++b) {
        if (context.job().cancelled())
            return cancelledError();
        cropper.cut(owners[b], boxes.subspan(b * 4, 4), out.data() + b * each);
    }
    return Done{};
}

Status runCropAndResize(KernelContext& context)
{
    const Value& images = context.input(0);
    const std::string fault =
        cropFault(images, context.input(1), context.input(2), context.input(3));
    if (!fault.empty())
        return context.error(fault);
    const std::string_view method = context.stringAttr("method", "bilinear");
    if (method != "bilinear" && method != "nearest")
        return context.error("method must be bilinear or nearest");
    const auto size = context.input(3).as<std::int32_t>();
    const CropSize crop{size[0], size[1]};
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float,
                                                  {context.input(1).dim(0), crop.height, crop.width,
                                                   images.dim(3)}));
    if (out.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known = dispatch(Reals(), images.dtype(), [&](auto zero) {
        status = cutAll<decltype(zero)>(context, crop, method == "nearest",
                                        out.template mutableAs<float>());
    });
    return known ? status : context.error("cannot resize " + dtypeName(images.dtype()));
}

} // namespace

LAPIDARY_KERNEL(CropAndResize, runCropAndResize);

} // namespace lapidary
