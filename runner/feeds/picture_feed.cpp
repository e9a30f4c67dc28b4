// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/picture_feed.h"

#include "graph_model/base/mapped_file.h"
#include "runner/feeds/image_feed.h"

namespace lapidary {
namespace {

Result<Value> decoded(const FeedTarget& target, std::string_view bytes, const PictureFeed& source,
                      MemoryPool& pool, const Job& job)
{
    const auto& dims = target.shape.dims;
    const bool isImage = !target.shape.unknownRank && dims.size() == 4;
    const auto known = [&](std::size_t axis) {
        return isImage && dims[axis] > 0 ? dims[axis] : std::int64_t(0);
    };
    const int channels = known(3) == 1 ? 1 : 3;
    if (target.dtype != DType::UInt8)
        return imageFeed(bytes,
                         {.height = known(1),
                          .width = known(2),
                          .mean = source.mean,
                          .std = source.std,
                          .channels = channels},
                         pool, job);
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
