// SPDX-License-Identifier: Apache-2.0
// Encoding and decoding pictures, and what foreign bytes may lead to: an error, or a picture.
#include "runner/kernels/codecs/picture.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cstdlib>

namespace lapidary {
namespace {

Result<Value> decode(std::string_view op, const std::string& bytes, const NodeAttrs& attrs = {})
{
    return runOne(op, {stringsOf({}, {bytes})}, attrs);
}

std::string gifOf(const std::vector<std::uint8_t>& tail)
{
    // 2x2, two colors: black and white.
    std::vector<std::uint8_t> bytes{'G',  'I', 'F', '8', '9', 'a', 2,   0,   2,  0,
                                    0x80, 0,   0,   0,   0,   0,   255, 255, 255};
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return {bytes.begin(), bytes.end()};
}

// A whole frame: white, black, black, white pixels.
const std::vector<std::uint8_t> oneFrame{0x2C, 0, 0, 0,    0,    2,    0, 2,   0,
                                         0,    2, 3, 0x44, 0x02, 0x05, 0, 0x3B};

TEST_CASE("PNG comes back as it was", "[codecs]")
{
    for (const std::int64_t channels : {1, 2, 3, 4}) {
        const Value image = rampOf<std::uint8_t>({13, 15, channels}, 0, 0.3);
        const auto bytes = runOne("EncodePng", {image});
        REQUIRE(bytes.ok());
        const auto back = decode("DecodePng", bytes->strings()[0]);
        REQUIRE(back.ok());
        CHECK(back->dims() == image.dims());
        CHECK(elementsOf<std::uint8_t>(*back) == elementsOf<std::uint8_t>(image));
    }
    const Value wide = rampOf<std::uint16_t>({3, 2, 3}, 1000, 3001);
    const auto back =
        decode("DecodePng", encodePng(wide, 9).value(), {{"dtype", attr::fromType(DType::UInt16)}});
    REQUIRE(back.ok());
    CHECK(elementsOf<std::uint16_t>(*back) == elementsOf<std::uint16_t>(wide));
}

TEST_CASE("JPEG comes back nearly as it was", "[codecs]")
{
    const Value image = rampOf<std::uint8_t>({17, 33, 3}, 20, 0.1);
    const auto bytes = runOne("EncodeJpeg", {image}, {{"quality", attr::fromInt(100)}});
    REQUIRE(bytes.ok());
    const std::string& jpeg = bytes->strings()[0];
    const auto back = decode("DecodeJpeg", jpeg);
    REQUIRE(back.ok());
    REQUIRE(back->dims() == image.dims());
    int worst = 0;
    for (std::size_t i = 0; i < std::size_t(image.elements()); ++i)
        worst = std::max(
            worst, std::abs(int(back->as<std::uint8_t>()[i]) - int(image.as<std::uint8_t>()[i])));
    CHECK(worst <= 8);
    CHECK(decode("DecodeJpeg", jpeg, {{"ratio", attr::fromInt(4)}}).value().dims() ==
          Dims{5, 9, 3});
    CHECK(decode("DecodeJpeg", jpeg, {{"channels", attr::fromInt(1)}}).value().dims() ==
          Dims{17, 33, 1});
    CHECK_FALSE(decode("DecodeJpeg", jpeg, {{"channels", attr::fromInt(4)}}).ok());
    CHECK(elementsOf<std::int32_t>(decode("ExtractJpegShape", jpeg).value()) ==
          std::vector<std::int32_t>{17, 33, 3});
}

TEST_CASE("a window of a JPEG is what the whole shows there", "[codecs]")
{
    const std::string jpeg =
        encodeJpeg(rampOf<std::uint8_t>({32, 32, 1}, 0, 0.2), {.quality = 100}).value();
    const auto whole = decode("DecodeJpeg", jpeg);
    const auto crop = [&](std::vector<std::int32_t> window) {
        return runOne("DecodeAndCropJpeg",
                      {stringsOf({}, {jpeg}), valueOf<std::int32_t>({4}, window)});
    };
    const auto part = crop({8, 16, 3, 2});
    REQUIRE(whole.ok());
    REQUIRE(part.ok());
    CHECK(part->dims() == Dims{3, 2, 1});
    CHECK(part->as<std::uint8_t>()[0] == whole->as<std::uint8_t>()[8 * 32 + 16]);
    CHECK_FALSE(crop({0, 0, 33, 1}).ok());
    CHECK_FALSE(crop({-1, 0, 3, 1}).ok());
    CHECK_FALSE(crop({0, 0, 0, 1}).ok());
    CHECK_FALSE(crop({2147483647, 2147483647, 2147483647, 2147483647}).ok());
}

TEST_CASE("GIF frames lie on top of each other", "[codecs]")
{
    const auto y = decode("DecodeGif", gifOf(oneFrame));
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{1, 2, 2, 3});
    CHECK_FALSE(decode("DecodeGif", gifOf({0x3B})).ok());
    CHECK(decode("DecodePng", gifOf(oneFrame)).value().dims() == Dims{2, 2, 3});
    CHECK_FALSE(decode("DecodePng", gifOf(oneFrame), {{"channels", attr::fromInt(1)}}).ok());
}

TEST_CASE("a file that only claims to be large allocates nothing", "[codecs]")
{
    // A GIF of one frame of 65535 x 65535, a BMP and a PNG of 2^31 - 1 pixels each way.
    const std::string gif = gifOf({0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0, 2, 1, 0x44, 0, 0x3B});
    CHECK_FALSE(decode("DecodeGif", gif).ok());
    std::string bmp(54, '\0');
    bmp.replace(0, 2, "BM");
    bmp[10] = 54;
    bmp[28] = 24;
    for (const std::size_t at : {18U, 22U})
        bmp.replace(at, 4, "\xFF\xFF\xFF\x7F");
    CHECK_FALSE(decode("DecodeBmp", bmp).ok());
    std::string png = encodePng(rampOf<std::uint8_t>({1, 1, 1}), -1).value();
    png.replace(16, 8, std::string("\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF", 8));
    CHECK_FALSE(decode("DecodePng", png).ok());
}

TEST_CASE("damaged pictures are errors or pictures, never more", "[codecs]")
{
    const Value image = rampOf<std::uint8_t>({9, 14, 3}, 0, 0.7);
    const std::string files[] = {encodePng(image, -1).value(), encodeJpeg(image, {}).value(),
                                 encodeJpeg(image, {.progressive = true}).value(), gifOf(oneFrame)};
    std::uint32_t state = 7;
    for (const std::string& whole : files) {
        for (int round = 0; round < 400; ++round) {
            std::string bytes = whole;
            for (int i = 0; i < 3; ++i) {
                state = state * 1664525 + 1013904223;
                bytes[(state >> 8) % bytes.size()] = char(state >> 24);
            }
            MemoryPool pool(std::uint64_t(1) << 24);
            const Job job;
            const auto still =
                decodeStill(bytes, {.jpeg = {.recoverTruncated = round % 2 == 0}}, {pool, job});
            CHECK((still.ok() || !still.error().message.empty()));
            const auto frames = decodeGif(bytes, {pool, job});
            CHECK((frames.ok() || !frames.error().message.empty()));
        }
    }
}

TEST_CASE("raw bytes become numbers of either byte order", "[codecs]")
{
    const Value bytes = stringsOf({2}, {std::string("\1\0\2\0", 4), std::string("\3\0\4\0", 4)});
    const NodeAttrs small{{"out_type", attr::fromType(DType::Int16)}};
    const auto y = runOne("DecodeRaw", {bytes}, small);
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{2, 2});
    CHECK(elementsOf<std::int16_t>(*y) == std::vector<std::int16_t>{1, 2, 3, 4});
    NodeAttrs big = small;
    big.emplace_back("little_endian", attr::fromBool(false));
    CHECK(elementsOf<std::int16_t>(runOne("DecodeRaw", {bytes}, big).value()) ==
          std::vector<std::int16_t>{256, 512, 768, 1024});
    CHECK_FALSE(runOne("DecodeRaw", {stringsOf({1}, {"abc"})}, small).ok());
    CHECK_FALSE(runOne("DecodeRaw", {stringsOf({2}, {"ab", "abcd"})}, small).ok());
    CHECK(runOne("DecodeRaw", {stringsOf({0}, {})}, small).value().dims() == Dims{0, 0});
}

} // namespace
} // namespace lapidary
