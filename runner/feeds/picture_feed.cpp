#include "runner/feeds/picture_feed.h"

#include "graph_model/read/mapped_file.h"
#include "runner/feeds/image_feed.h"

#include <charconv>
#include <filesystem>
#include <optional>

namespace lapidary {
namespace {

struct PictureSource {
    std::string path;
    float mean = 0.0F;
    float std = 255.0F;
};

// Takes ":NUMBER" off the end.
std::optional<float> takeNumber(std::string_view& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return {};
    const std::string_view word = text.substr(colon + 1);
    float number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size())
        return {};
    text = text.substr(0, colon);
    return number;
}

PictureSource readSource(std::string_view text)
{
    std::error_code ignored;
    if (std::filesystem::exists(std::string(text), ignored))
        return {.path = std::string(text)};
    std::string_view path = text;
    const auto last = takeNumber(path);
    const auto before = last ? takeNumber(path) : std::nullopt;
    if (!before)
        return {.path = std::string(text)};
    return {std::string(path), *before, *last};
}

Result<Value> decoded(const FeedTarget& target, std::string_view bytes, const PictureSource& source,
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

Result<Value> pictureFeed(const FeedTarget& target, std::string_view source, MemoryPool& pool,
                          const Job& job)
{
    const PictureSource picture = readSource(source);
    const auto file = openFile(picture.path);
    if (!file)
        return Error{file.error().code, "input " + target.tensor + ": " + file.error().message};
    const std::string_view bytes = file.value()->bytes();
    if (target.dtype == DType::String) {
        const Dims ones(target.shape.unknownRank ? 0 : target.shape.dims.size(), 1);
        return Value::ofStrings(ones, {std::string(bytes)});
    }
    auto value = decoded(target, bytes, picture, pool, job);
    if (!value)
        return Error{value.error().code, picture.path + ": " + value.error().message};
    return fitFeed(target, std::move(value).value(), picture.path, pool);
}

} // namespace lapidary
