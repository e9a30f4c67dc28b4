// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/feed.h"
#include "runner/feeds/image_feed.h"
#include "runner/kernels/codecs/picture.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"
#include "tests/test_folder.h"

#include <unistd.h>

namespace lapidary {
namespace {

constexpr std::uint64_t oneMegabyte = 1U << 20;

std::string pngOf(Dims dims, const std::vector<std::uint8_t>& pixels)
{
    return encodePng(valueOf<std::uint8_t>(std::move(dims), pixels), -1).value();
}

// A BMP of two pixels, one above the other, with `bits` bits each.
std::string bmpOf(char bits, const std::vector<std::uint8_t>& rowFromBottom)
{
    std::string bytes(54, '\0');
    bytes[0] = 'B';
    bytes[1] = 'M';
    bytes[10] = 54;
    bytes[18] = 1;
    bytes[22] = 2;
    bytes[28] = bits;
    bytes.append(rowFromBottom.begin(), rowFromBottom.end());
    return bytes;
}

Result<Value> feedOf(const std::string& bytes, const ImageFeed& feed)
{
    MemoryPool pool(oneMegabyte);
    return imageFeed(bytes, feed, pool, Job());
}

TEST_CASE("a picture becomes floats: (x - mean) / std", "[image_feed]")
{
    const auto y = feedOf(pngOf({1, 2, 3}, {0, 10, 20, 30, 40, 250}), {.mean = 10, .std = 10});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{1, 1, 2, 3});
    CHECK(elementsOf<float>(*y) == std::vector<float>{-1, 0, 1, 2, 3, 24});
}

TEST_CASE("a picture is resized where a size is asked for", "[image_feed]")
{
    const auto y =
        feedOf(pngOf({1, 2, 1}, {0, 100}), {.height = 2, .width = 4, .std = 1, .channels = 1});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{1, 2, 4, 1});
    CHECK(elementsOf<float>(*y) == std::vector<float>{0, 50, 100, 100, 0, 50, 100, 100});
}

TEST_CASE("BMP is known by its content and brought to the channels asked for", "[image_feed]")
{
    const ImageFeed color{.std = 1};
    const ImageFeed gray{.std = 1, .channels = 1};
    const auto fromGray = feedOf(bmpOf(8, {7, 0, 0, 0, 9, 0, 0, 0}), color);
    REQUIRE(fromGray.ok());
    CHECK(elementsOf<float>(*fromGray) == std::vector<float>{9, 9, 9, 7, 7, 7});
    const auto fromAlpha = feedOf(bmpOf(32, {1, 2, 3, 4, 5, 6, 7, 8}), color);
    REQUIRE(fromAlpha.ok());
    CHECK(elementsOf<float>(*fromAlpha) == std::vector<float>{7, 6, 5, 3, 2, 1});
    const auto toGray = feedOf(bmpOf(24, {0, 0, 0, 0, 255, 255, 255, 0}), gray);
    REQUIRE(toGray.ok());
    CHECK(elementsOf<float>(*toGray)[1] == 0);
    CHECK(elementsOf<float>(*toGray)[0] >= 254);
}

TEST_CASE("an input takes a picture in the form that it needs", "[image_feed]")
{
    const std::string png = pngOf({1, 2, 3}, {0, 10, 20, 30, 40, 50});
    const TestFolder folder;
    const std::string path = folder.write("pixels.png", png);
    MemoryPool pool(oneMegabyte);
    const auto feed = [&](const FeedTarget& target, PictureFeed picture) {
        return makeFeed(target, picture, pool, Job());
    };
    const PictureFeed usual{.path = path};
    const FeedTarget floats{"x:0", DType::Float, {{-1, -1, 4, 3}, false}};
    const auto y = feed(floats, {path, 10, 10});
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{1, 1, 4, 3});
    CHECK(y->as<float>()[0] == -1);
    CHECK(feed(floats, usual).value().as<float>()[9] == Approx(30.0 / 255));
    CHECK(feed({"x:0", DType::UInt8, {{}, true}}, usual).value().dims() == Dims{1, 1, 2, 3});
    CHECK(feed({"x:0", DType::String, {{}, false}}, usual).value().strings()[0] == png);
    CHECK_FALSE(feed({"x:0", DType::Float, {{1, 10}, false}}, usual).ok());
    CHECK_FALSE(feed(floats, {.path = path + ".missing"}).ok());
}

TEST_CASE("a picture has the size, the type and the order of axes that the input takes",
          "[image_feed]")
{
    const TestFolder folder;
    const std::string path =
        folder.write("pixels.png", pngOf({1, 2, 3}, {0, 10, 20, 100, 110, 121}));
    MemoryPool pool(oneMegabyte);
    const auto feed = [&](DType dtype, const Dims& dims) {
        const PictureFeed raw{.path = path, .mean = 0, .std = 1};
        return makeFeed({"x:0", dtype, {dims, false}}, raw, pool, Job()).value();
    };
    const Value bytes = feed(DType::UInt8, {1, 1, 4, 3});
    CHECK(bytes.dims() == Dims{1, 1, 4, 3});
    CHECK(elementsOf<std::uint8_t>(bytes) ==
          std::vector<std::uint8_t>{0, 10, 20, 50, 60, 71, 100, 110, 121, 100, 110, 121});
    CHECK(feed(DType::UInt8, {1, 4, 3}).dims() == Dims{1, 4, 3});
    CHECK(feed(DType::Float, {1, 4, 3}).dims() == Dims{1, 4, 3});
    const Value first = feed(DType::Float, {-1, 3, 1, 2});
    CHECK(first.dims() == Dims{1, 3, 1, 2});
    CHECK(elementsOf<float>(first) == std::vector<float>{0, 100, 10, 110, 20, 121});
    CHECK(elementsOf<std::uint8_t>(feed(DType::UInt8, {1, 3, 1, 2})) ==
          std::vector<std::uint8_t>{0, 100, 10, 110, 20, 121});
}

TEST_CASE("bytes that are not a picture, or one that is too large, are an error", "[image_feed]")
{
    CHECK_FALSE(feedOf("", {}).ok());
    CHECK_FALSE(feedOf("hello, world", {}).ok());
    const auto y = feedOf(pngOf({1, 1, 3}, {1, 2, 3}), {.height = 10000, .width = 10000});
    REQUIRE_FALSE(y.ok());
    CHECK_FALSE(y.error().message.empty());
}

TEST_CASE("every truncation of a picture is an error or a picture", "[image_feed]")
{
    const Value image = rampOf<std::uint8_t>({16, 9, 3}, 0, 0.5);
    for (const std::string& whole :
         {encodePng(image, -1).value(), encodeJpeg(image, {}).value(),
          encodeJpeg(image, {.progressive = true}).value(), bmpOf(8, {7, 0, 0, 0, 9, 0, 0, 0})}) {
        for (std::size_t size = 0; size < whole.size(); ++size)
            if (const auto y = feedOf(whole.substr(0, size), {}); !y.ok())
                CHECK_FALSE(y.error().message.empty());
        CHECK(feedOf(whole, {}).ok());
    }
}

} // namespace
} // namespace lapidary
