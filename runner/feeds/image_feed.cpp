// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/image_feed.h"

#include "runner/kernels/codecs/picture.h"
#include "runner/kernels/image/bilinear.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

// Converts a color to gray, by the weights that PNG and JPEG use.
std::uint8_t grayOf(const std::uint8_t* pixel)
{
    return std::uint8_t(0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]);
}

// Converts `image` [height, width, 1, 3 or 4] to 1 or 3 channels; alpha is dropped.
Result<Value> withChannels(const Value& image, int channels, MemoryPool& pool)
{
    const std::int64_t from = image.dim(2);
    if (from == channels)
        return image;
    auto made = Value::make(DType::UInt8, {image.dim(0), image.dim(1), channels}, pool);
    if (!made)
        return made;
    const std::uint8_t* pixel = image.as<std::uint8_t>().data();
    std::uint8_t* to = made->mutableAs<std::uint8_t>().data();
    const std::int64_t pixels = image.dim(0) * image.dim(1);
    for (std::int64_t i = 0; i < pixels; ++i, pixel += from, to += channels) {
        if (channels == 1)
            to[0] = grayOf(pixel);
        else if (from == 1)
            std::fill_n(to, 3, pixel[0]);
        else
            std::copy_n(pixel, 3, to);
    }
    return made;
}

template <typename T>
Result<Value> channelsFirst(const Value& image, MemoryPool& pool)
{
    const std::int64_t channels = image.dim(3);
    auto made = Value::make(image.dtype(), {1, channels, image.dim(1), image.dim(2)}, pool);
    if (!made)
        return made;
    const std::span<const T> from = image.as<T>();
    T* to = made->mutableAs<T>().data();
    for (std::int64_t channel = 0; channel < channels; ++channel)
        for (std::size_t i = std::size_t(channel); i < from.size(); i += std::size_t(channels))
            *to++ = from[i];
    return made;
}

} // namespace

Result<Value> withChannelsFirst(const Value& image, MemoryPool& pool)
{
    return image.dtype() == DType::UInt8 ? channelsFirst<std::uint8_t>(image, pool)
                                         : channelsFirst<float>(image, pool);
}

Result<Value> decodePicture(std::string_view bytes, int channels, MemoryPool& pool, const Job& job)
{
    const DecodeRoom room{pool, job};
    const PictureFormat format = pictureFormat(bytes);
    if (format == PictureFormat::Jpeg || format == PictureFormat::Png)
        return decodeStill(bytes, {.channels = channels}, room);
    if (format == PictureFormat::Unknown)
        return unknownPicture(bytes, "PNG, JPEG, GIF or BMP");
    const auto image = format == PictureFormat::Bmp ? decodeBmp(bytes, room)
                                                    : decodeStill(bytes, {.channels = 3}, room);
    if (!image)
        return image;
    return withChannels(*image, channels, pool);
}

Result<Value> imageFeed(std::string_view bytes, const ImageFeed& feed, MemoryPool& pool,
                        const Job& job)
{
    const auto picture = decodePicture(bytes, feed.channels, pool, job);
    if (!picture)
        return picture;
    Dims dims = picture->dims();
    dims.insert(dims.begin(), 1);
    const ResizeGrid grid = resizeGrid(dims, feed.height > 0 ? feed.height : dims[1],
                                       feed.width > 0 ? feed.width : dims[2], false, false);
    auto made = Value::make(DType::Float, grid.outDims(), pool);
    if (!made)
        return made;
    const auto out = made->mutableAs<float>();
    const Value image = picture->reshaped(std::move(dims));
    RETURN_IF_ERROR(resizeBilinearInto(out, image, grid, pool, job));
    std::ranges::transform(out, out.begin(), [&](float x) { return (x - feed.mean) / feed.std; });
    return feed.isChannelsFirst ? withChannelsFirst(*made, pool) : std::move(made);
}

} // namespace lapidary
