// SPDX-License-Identifier: Apache-2.0
// BMP: uncompressed, 8 (as gray), 24 or 32 bits per pixel, rows padded to 4 bytes, blue first.
#include "runner/kernels/codecs/picture.h"

#include <cstdlib>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::size_t headerSize = 34; // up to and including the compression

struct BmpHeader {
    std::int64_t pixelsAt = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool startsAtTop = false;
    std::int64_t channels = 0;

    std::int64_t rowBytes() const { return (width * channels + 3) / 4 * 4; }
};

template <class T>
T little(std::string_view bytes, std::size_t at)
{
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

Error invalid(const std::string& why)
{
    return {ErrorCode::InvalidArgument, "invalid BMP data: " + why};
}

Result<BmpHeader> readHeader(std::string_view bytes)
{
    if (!bytes.starts_with("BM"))
        return invalid("it does not begin with BM");
    if (bytes.size() < headerSize)
        return invalid("it ends within the header");
    BmpHeader header;
    header.pixelsAt = little<std::uint32_t>(bytes, 10);
    header.width = little<std::int32_t>(bytes, 18);
    const std::int64_t height = little<std::int32_t>(bytes, 22);
    header.startsAtTop = height < 0;
    header.height = std::abs(height);
    const int bits = little<std::int16_t>(bytes, 28);
    const auto compression = little<std::uint32_t>(bytes, 30);
    constexpr std::uint32_t maskedColors = 3;
    if (compression != 0 && compression != maskedColors)
        return invalid("compressed files are not supported");
    if (bits != 8 && bits != 24 && bits != 32)
        return invalid("it has " + std::to_string(bits) +
                       " bits a pixel; 8, 24 and 32 are supported");
    header.channels = bits / 8;
    if (header.width <= 0 || header.height == 0)
        return invalid("it has no pixels");
    std::int64_t needed = 0;
    if (__builtin_mul_overflow(header.rowBytes(), header.height, &needed) ||
        needed > std::int64_t(bytes.size()) - header.pixelsAt)
        return invalid("it ends early");
    return header;
}

} // namespace

Result<Value> decodeBmp(std::string_view bytes, DecodeRoom room)
{
    ASSIGN_OR_RETURN(const auto read, readHeader(bytes));
    const BmpHeader& header = read;
    auto image =
        Value::make(DType::UInt8, {header.height, header.width, header.channels}, room.pool);
    if (!image)
        return image;
    std::uint8_t* to = image->mutableAs<std::uint8_t>().data();
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(bytes.data()) + header.pixelsAt;
    for (std::int64_t y = 0; y < header.height; ++y) {
        if (room.job.cancelled())
            return cancelledError();
        const std::int64_t row = header.startsAtTop ? y : header.height - 1 - y;
        const std::uint8_t* from = pixels + row * header.rowBytes();
        for (std::int64_t x = 0; x < header.width; ++x, from += header.channels) {
            if (header.channels >= 3) {
                *to++ = from[2];
                *to++ = from[1];
            }
            *to++ = from[0];
            if (header.channels == 4)
                *to++ = from[3];
        }
    }
    return image;
}

} // namespace lapidary
