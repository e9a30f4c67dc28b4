// SPDX-License-Identifier: Apache-2.0
// PNG by libpng; see png_reader.cpp for setjmp.
#include "runner/kernels/codecs/picture.h"

#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <new>

#include <png.h>

namespace lapidary {
namespace {

class PngWriter {
public:
    PngWriter() = default;
    ~PngWriter() { png_destroy_write_struct(&m_png, &m_info); }
    PngWriter(const PngWriter&) = delete;
    PngWriter& operator=(const PngWriter&) = delete;

    bool write(const Value& image, int compression)
    {
        m_png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, leave,
                                        [](png_structp, png_const_charp) {});
        m_info = m_png != nullptr ? png_create_info_struct(m_png) : nullptr;
        if (m_info == nullptr)
            return false;
        if (setjmp(m_back) != 0)
            return false;
        constexpr std::array colors{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                    PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
        const bool isWide = image.dtype() == DType::UInt16;
        png_set_write_fn(m_png, this, append, [](png_structp) {});
        png_set_compression_level(m_png, compression);
        png_set_compression_mem_level(m_png, 9);
        png_set_IHDR(m_png, m_info, png_uint_32(image.dim(1)), png_uint_32(image.dim(0)),
                     isWide ? 16 : 8, colors[std::size_t(image.dim(2) - 1)], PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_write_info(m_png, m_info);
        if (isWide && std::endian::native == std::endian::little)
            png_set_swap(m_png);
        const std::size_t rowBytes =
            std::size_t(image.dim(1) * image.dim(2)) * dtypeSize(image.dtype());
        const auto* pixels = reinterpret_cast<png_const_bytep>(image.bytes().data());
        for (std::int64_t y = 0; y < image.dim(0); ++y)
            png_write_row(m_png, pixels + std::size_t(y) * rowBytes);
        png_write_end(m_png, nullptr);
        return true;
    }

    std::string takeBytes() { return std::move(m_bytes); }
    Error error() const
    {
        return {ErrorCode::InvalidArgument,
                std::string("PNG encoding failed: ") + m_message.data()};
    }

private:
    static void leave(png_structp png, png_const_charp message)
    {
        auto* writer = static_cast<PngWriter*>(png_get_error_ptr(png));
        std::snprintf(writer->m_message.data(), writer->m_message.size(), "%s", message);
        std::longjmp(writer->m_back, 1);
    }

    static void append(png_structp png, png_bytep from, png_size_t count)
    {
        auto* writer = static_cast<PngWriter*>(png_get_io_ptr(png));
        if (!writer->add({reinterpret_cast<const char*>(from), count}))
            png_error(png, "out of memory");
    }

    // No exception may pass through libpng.
    bool add(std::string_view bytes) noexcept
    {
        try {
            m_bytes.append(bytes);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    png_structp m_png = nullptr;
    png_infop m_info = nullptr;
    std::string m_bytes;
    std::jmp_buf m_back{};
    std::array<char, 200> m_message{};
};

} // namespace

Result<std::string> encodePng(const Value& image, int compression)
{
    PngWriter writer;
    if (!writer.write(image, compression))
        return writer.error();
    return writer.takeBytes();
}

} // namespace lapidary
