// SPDX-License-Identifier: Apache-2.0
// PNG by libpng, which leaves by longjmp: functions that call setjmp hold nothing that needs a
// destructor.
#include "runner/kernels/codecs/picture.h"

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <png.h>

namespace lapidary {
namespace {

class PngReader {
public:
    explicit PngReader(std::string_view bytes)
        : m_left(bytes)
    {
    }
    ~PngReader() { png_destroy_read_struct(&m_png, &m_info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    bool readHeader()
    {
        m_png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, leave,
                                       [](png_structp, png_const_charp) {});
        m_info = m_png != nullptr ? png_create_info_struct(m_png) : nullptr;
        if (m_info == nullptr)
            return false;
        if (setjmp(m_back) != 0)
            return false;
        constexpr png_alloc_size_t mostForText = 8'000'000;
        png_set_chunk_malloc_max(m_png, mostForText);
        png_set_read_fn(m_png, this, read);
        png_read_info(m_png, m_info);
        return true;
    }

    // Requests `channels` (0: as stored) of 8 or 16 bits.
    bool prepare(int channels, bool isWide)
    {
        if (setjmp(m_back) != 0)
            return false;
        return transform(channels, isWide);
    }

    bool readRow(png_bytep row)
    {
        if (setjmp(m_back) != 0)
            return false;
        png_read_row(m_png, row, nullptr);
        return true;
    }

    PictureSize size() const
    {
        return {std::int64_t(png_get_image_height(m_png, m_info)),
                std::int64_t(png_get_image_width(m_png, m_info)), m_channels};
    }
    std::size_t rowBytes() const { return png_get_rowbytes(m_png, m_info); }
    int passes() const { return m_passes; }
    Error error() const
    {
        return {ErrorCode::InvalidArgument, std::string("invalid PNG data: ") + m_message.data()};
    }

private:
    static void leave(png_structp png, png_const_charp message)
    {
        auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
        std::snprintf(reader->m_message.data(), reader->m_message.size(), "%s", message);
        std::longjmp(reader->m_back, 1);
    }

    static void read(png_structp png, png_bytep to, png_size_t count)
    {
        auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
        if (reader->m_left.size() < count)
            png_error(png, "it ends early");
        std::memcpy(to, reader->m_left.data(), count);
        reader->m_left.remove_prefix(count);
    }

    bool transform(int channels, bool isWide)
    {
        const int color = png_get_color_type(m_png, m_info);
        const bool hasMask = png_get_valid(m_png, m_info, PNG_INFO_tRNS) != 0;
        if (channels == 0) {
            channels = png_get_channels(m_png, m_info);
            if (color == PNG_COLOR_TYPE_PALETTE)
                channels = hasMask ? 4 : 3;
        }
        if (color == PNG_COLOR_TYPE_PALETTE)
            png_set_palette_to_rgb(m_png);
        const bool isGray = (color & PNG_COLOR_MASK_COLOR) == 0;
        if (isGray && png_get_bit_depth(m_png, m_info) < 8)
            png_set_expand_gray_1_2_4_to_8(m_png);
        setDepth(isWide);
        const bool hasAlpha = (color & PNG_COLOR_MASK_ALPHA) != 0;
        setAlpha(channels == 2 || channels == 4, hasAlpha, hasMask);
        if (channels < 3 && !isGray)
            png_set_rgb_to_gray(m_png, 1, 0.299, 0.587);
        else if (channels >= 3 && isGray)
            png_set_gray_to_rgb(m_png);
        m_passes = png_set_interlace_handling(m_png);
        png_read_update_info(m_png, m_info);
        m_channels = png_get_channels(m_png, m_info);
        return m_channels == channels;
    }

    void setDepth(bool isWide)
    {
        const int depth = png_get_bit_depth(m_png, m_info);
        if (!isWide && depth == 16)
            png_set_strip_16(m_png);
        if (isWide && depth < 16)
            png_set_expand_16(m_png);
        if (isWide && std::endian::native == std::endian::little)
            png_set_swap(m_png);
    }

    void setAlpha(bool isWanted, bool isThere, bool hasMask)
    {
        if (!isWanted && (isThere || hasMask))
            png_set_strip_alpha(m_png);
        else if (isWanted && hasMask)
            png_set_tRNS_to_alpha(m_png);
        else if (isWanted && !isThere)
            png_set_add_alpha(m_png, 0xFFFF, PNG_FILLER_AFTER);
    }

    png_structp m_png = nullptr;
    png_infop m_info = nullptr;
    std::string_view m_left;
    std::jmp_buf m_back{};
    std::array<char, 200> m_message{"its colors are of no known kind"};
    int m_passes = 1;
    int m_channels = 0;
};

} // namespace

Result<Value> decodePng(std::string_view bytes, int channels, DType dtype, DecodeRoom room)
{
    PngReader reader(bytes);
    if (!reader.readHeader() || !reader.prepare(channels, dtype == DType::UInt16))
        return reader.error();
    const PictureSize size = reader.size();
    auto image = Value::make(dtype, {size.height, size.width, size.channels}, room.pool);
    if (!image)
        return image;
    const std::size_t rowBytes = std::size_t(size.width * size.channels) * dtypeSize(dtype);
    if (reader.rowBytes() != rowBytes)
        return reader.error();
    std::uint8_t* pixels = image->mutableAs<std::uint8_t>().data();
    // Interlaced files write only some pixels in each pass.
    std::memset(pixels, 0, image->byteCount());
    for (int pass = 0; pass < reader.passes(); ++pass) {
        for (std::int64_t y = 0; y < size.height; ++y) {
            if (room.job.cancelled())
                return cancelledError();
            if (!reader.readRow(pixels + std::size_t(y) * rowBytes))
                return reader.error();
        }
    }
    return image;
}

} // namespace lapidary
