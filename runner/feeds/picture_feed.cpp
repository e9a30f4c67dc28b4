// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/picture_feed.h"

#include "graph_model/base/mapped_file.h"
#include "runner/feeds/image_feed.h"
#include "runner/feeds/input_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

// The layout of a picture in an input; a size of 0 is that of the file.
struct PictureLayout {
    std::int64_t height = 0;
    std::int64_t width = 0;
    int channels = 3;
    bool isChannelsFirst = false; // [batch, channels, height, width]
    bool hasBatch = true;
};

bool isChannels(std::int64_t size)
{
    return size == 1 || size == 3;
}

PictureLayout layoutOf(const Shape& shape)
{
    const std::vector<std::int64_t>& dims = shape.dims;
    PictureLayout layout;
    if (shape.unknownRank || dims.size() < 3 || dims.size() > 4)
        return layout;
    layout.hasBatch = dims.size() == 4;
    const std::int64_t* own = dims.data() + (layout.hasBatch ? 1 : 0);
    layout.isChannelsFirst = isChannels(own[0]) && own[2] > 0 && !isChannels(own[2]);
    const std::int64_t* sizes = own + (layout.isChannelsFirst ? 1 : 0);
    layout.height = std::max<std::int64_t>(sizes[0], 0);
    layout.width = std::max<std::int64_t>(sizes[1], 0);
    layout.channels = own[layout.isChannelsFirst ? 0 : 2] == 1 ? 1 : 3;
    return layout;
}

// Scales pixels from 0 to 255 by the means of the source, one for each color, and its std; `image`
// is float [1, height, width, 3].
void scaleColors(const PictureFeed& source, Value& image)
{
    const std::array<float, 3> means =
        source.means.value_or(std::array<float, 3>{source.mean, source.mean, source.mean});
    const std::span<float> pixels = image.mutableAs<float>();
    for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) {
        for (std::size_t color = 0; color < 3; ++color)
            pixels[i + color] = (pixels[i + color] - means[color]) / source.std;
        if (source.isBgr)
            std::swap(pixels[i], pixels[i + 2]);
    }
}

Result<Value> asFloats(const PictureLayout& layout, std::string_view bytes,
                       const PictureFeed& source, MemoryPool& pool, const Job& job)
{
    const bool hasColors = layout.channels == 3 && (source.means || source.isBgr);
    auto image = imageFeed(bytes,
                           {.height = layout.height,
                            .width = layout.width,
                            .mean = hasColors ? 0 : source.mean,
                            .std = hasColors ? 1 : source.std,
                            .channels = layout.channels},
                           pool, job);
    if (image && hasColors)
        scaleColors(source, *image);
    return image;
}

// Returns the pixels themselves, whatever mean and std are; rounded if the picture was resized.
Result<Value> asBytes(const PictureLayout& layout, std::string_view bytes,
                      const PictureFeed& source, MemoryPool& pool, const Job& job)
{
    const PictureFeed pixels{.mean = 0, .std = 1, .isBgr = source.isBgr};
    const auto image = asFloats(layout, bytes, pixels, pool, job);
    if (!image)
        return image;
    auto made = Value::make(DType::UInt8, image->dims(), pool);
    if (made)
        std::ranges::transform(image->as<float>(), made->mutableAs<std::uint8_t>().begin(),
                               [](float x) { return std::uint8_t(std::lround(x)); });
    return made;
}

Result<Value> decoded(const FeedTarget& target, std::string_view bytes, const PictureFeed& source,
                      MemoryPool& pool, const Job& job)
{
    const PictureLayout layout = layoutOf(target.shape);
    const bool isBytes = target.dtype == DType::UInt8;
    auto image = isBytes ? asBytes(layout, bytes, source, pool, job)
                         : asFloats(layout, bytes, source, pool, job);
    if (image && layout.isChannelsFirst)
        image = withChannelsFirst(*image, pool);
    if (!image || layout.hasBatch)
        return image;
    Dims own = image->dims();
    own.erase(own.begin());
    return image->reshaped(std::move(own));
}

} // namespace

bool takesChannelsFirst(const Shape& shape)
{
    return layoutOf(shape).isChannelsFirst;
}

Result<Value> pictureFeed(const FeedTarget& target, const PictureFeed& picture, MemoryPool& pool,
                          const Job& job)
{
    const auto file = openFile(picture.path);
    if (!file)
        return file.error().within(inputText(target));
    const std::string_view bytes = (*file)->bytes();
    if (target.dtype == DType::String) {
        const Dims ones(target.shape.unknownRank ? 0 : target.shape.dims.size(), 1);
        return Value::ofStrings(ones, {std::string(bytes)});
    }
    auto value = decoded(target, bytes, picture, pool, job);
    if (!value)
        return value.error().within(picture.path);
    return fitFeed(target, *std::move(value), picture.path, pool);
}

} // namespace lapidary
