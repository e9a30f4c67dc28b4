// SPDX-License-Identifier: Apache-2.0
// DrawBoundingBoxes: draws outlines of one pixel, in ten colors by turns, for viewing.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

using Color = std::array<float, 4>;

constexpr std::array<Color, 10> palette{{{1, 1, 0, 1},
                                         {0, 0, 1, 1},
                                         {1, 0, 0, 1},
                                         {0, 1, 0, 1},
                                         {0.5F, 0, 0.5F, 1},
                                         {0.5F, 0.5F, 0, 1},
                                         {0.5F, 0, 0, 1},
                                         {0, 0, 0.5F, 1},
                                         {0, 1, 1, 1},
                                         {1, 0, 1, 1}}};

// The first and last pixel of a box along one axis; they may be outside of the image.
struct Extent {
    std::int64_t first;
    std::int64_t last;
    std::int64_t size;

    static Extent of(float from, float to, std::int64_t size)
    {
        constexpr float far = 1e15F;
        const auto pixel = [&](float x) {
            const float scaled = x * float(size - 1);
            return std::isnan(scaled) ? -1 : std::int64_t(std::clamp(scaled, -far, far));
        };
        return {pixel(from), pixel(to), size};
    }
    bool isVisible() const { return first <= last && first < size && last >= 0; }
    bool showsFirst() const { return first >= 0; }
    bool showsLast() const { return last < size; }
    std::int64_t begin() const { return std::max<std::int64_t>(first, 0); }
    std::int64_t end() const { return std::min(last, size - 1) + 1; }
};

template <class T>
class Drawing {
public:
    Drawing(T* pixels, std::int64_t width, std::int64_t channels)
        : m_pixels(pixels)
        , m_width(width)
        , m_channels(channels)
    {
    }

    void outline(const Extent& rows, const Extent& columns, const Color& color)
    {
        if (!rows.isVisible() || !columns.isVisible())
            return;
        for (std::int64_t x = columns.begin(); x < columns.end(); ++x) {
            if (rows.showsFirst())
                paint(rows.first, x, color);
            if (rows.showsLast())
                paint(rows.last, x, color);
        }
        for (std::int64_t y = rows.begin(); y < rows.end(); ++y) {
            if (columns.showsFirst())
                paint(y, columns.first, color);
            if (columns.showsLast())
                paint(y, columns.last, color);
        }
    }

private:
    void paint(std::int64_t y, std::int64_t x, const Color& color)
    {
        T* pixel = m_pixels + (y * m_width + x) * m_channels;
        for (std::int64_t c = 0; c < m_channels; ++c)
            pixel[c] = T(m_channels == 1 ? 1.0F : color[std::size_t(c)]);
    }

    T* m_pixels;
    std::int64_t m_width;
    std::int64_t m_channels;
};

std::string drawingFault(const Value& images, const Value& boxes)
{
    if (images.rank() != 4)
        return "images must be 4-dimensional, got shape " + dimsText(images.dims());
    const std::int64_t channels = images.dim(3);
    if (channels != 1 && channels != 3 && channels != 4)
        return "images must have 1, 3 or 4 channels, got shape " + dimsText(images.dims());
    if (boxes.rank() != 3 || boxes.dim(0) != images.dim(0) || boxes.dim(2) != 4)
        return "boxes must be [batch, boxes, 4], got shape " + dimsText(boxes.dims());
    return {};
}

template <class T>
Status draw(KernelContext& context)
{
    const Value& images = context.input(0);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, images.dtype(), images.dims()));
    std::ranges::copy(images.as<T>(), out.template mutableAs<T>().begin());
    if (images.elements() == 0)
        return Done{};
    const Value& boxes = context.input(1);
    const std::int64_t each = images.dim(1) * images.dim(2) * images.dim(3);
    const float* box = boxes.as<float>().data();
    for (std::int64_t n = 0; n < images.dim(0); ++n) {
        Drawing<T> drawing(out.template mutableAs<T>().data() + n * each, images.dim(2),
                           images.dim(3));
        for (std::int64_t i = 0; i < boxes.dim(1); ++i, box += 4) {
            if (context.job().cancelled())
                return cancelledError();
            drawing.outline(Extent::of(box[0], box[2], images.dim(1)),
                            Extent::of(box[1], box[3], images.dim(2)),
                            palette[std::size_t(i) % palette.size()]);
        }
    }
    return Done{};
}

Status runDrawBoundingBoxes(KernelContext& context)
{
    const std::string fault = drawingFault(context.input(0), context.input(1));
    if (!fault.empty())
        return context.error(fault);
    if (context.input(0).dtype() == DType::Half)
        return draw<Half>(context);
    return draw<float>(context);
}

} // namespace

LAPIDARY_KERNEL(DrawBoundingBoxes, runDrawBoundingBoxes);

} // namespace lapidary
