// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/picture_feed.h"

#include "graph_model/base/mapped_file.h"
#include "runner/feeds/image_feed.h"

#include <array>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

// Brings pixels that are still 0..255 to what a source with a mean of each color says; `image` is
// float [1, height, width, 3].
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

Result<Value> decoded(const FeedTarget& target, std::string_view bytes, const PictureFeed& source,
                      MemoryPool& pool, const Job& job)
{
    const auto& dims = target.shape.dims;
    const bool isImage = !target.shape.unknownRank && dims.size() == 4;
    const auto known = [&](std::size_t axis) {
        return isImage && dims[axis] > 0 ? dims[axis] : std::int64_t(0);
    };
    const int channels = known(3) == 1 ? 1 : 3;
    const bool hasColors = channels == 3 && (source.means || source.isBgr);
    if (target.dtype != DType::UInt8) {
        auto image = imageFeed(bytes,
                               {.height = known(1),
                                .width = known(2),
                                .mean = hasColors ? 0 : source.mean,
                                .std = hasColors ? 1 : source.std,
                                .channels = channels},
                               pool, job);
        if (image && hasColors)
            scaleColors(source, *image);
        return image;
    }
    const auto picture = decodePicture(bytes, channels, pool, job);
    if (!picture || (!target.shape.unknownRank && dims.size() == 3))
        return picture;
    Dims one = picture.value().dims();
    one.insert(one.begin(), 1);
    return picture.value().reshaped(std::move(one));
}

} // namespace

Result<Value> pictureFeed(const FeedTarget& target, const PictureFeed& picture, MemoryPool& pool,
                          const Job& job)
{
    const auto file = openFile(picture.path);
    if (!file)
        return file.error().within("input " + target.tensor);
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
