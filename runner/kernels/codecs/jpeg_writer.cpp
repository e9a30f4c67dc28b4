// SPDX-License-Identifier: Apache-2.0
// JPEG by libjpeg. As in jpeg_reader.cpp, functions that call setjmp hold nothing that needs a
// destructor.
#include "runner/kernels/codecs/picture.h"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

namespace lapidary {
namespace {

class JpegWriter {
public:
    JpegWriter()
    {
        m_info.err = jpeg_std_error(&m_errors.base);
        m_errors.base.error_exit = leave;
        m_errors.base.emit_message = [](j_common_ptr, int) {};
        m_errors.base.output_message = [](j_common_ptr) {};
    }
    ~JpegWriter()
    {
        if (m_isOpen)
            jpeg_destroy_compress(&m_info);
        std::free(m_bytes);
    }
    JpegWriter(const JpegWriter&) = delete;
    JpegWriter& operator=(const JpegWriter&) = delete;

    bool write(const Value& image, const JpegSettings& settings, std::string_view xmpBlock)
    {
        if (setjmp(m_errors.back) != 0)
            return false;
        jpeg_create_compress(&m_info);
        m_isOpen = true;
        jpeg_mem_dest(&m_info, &m_bytes, &m_size);
        configure(image, settings);
        jpeg_start_compress(&m_info, TRUE);
        if (!xmpBlock.empty())
            jpeg_write_marker(&m_info, JPEG_APP0 + 1,
                              reinterpret_cast<const JOCTET*>(xmpBlock.data()),
                              unsigned(xmpBlock.size()));
        const std::size_t rowSize = std::size_t(image.dim(1) * image.dim(2));
        const std::uint8_t* pixels = image.as<std::uint8_t>().data();
        while (m_info.next_scanline < m_info.image_height) {
            JSAMPLE* row = const_cast<JSAMPLE*>(pixels + m_info.next_scanline * rowSize);
            jpeg_write_scanlines(&m_info, &row, 1);
        }
        jpeg_finish_compress(&m_info);
        return true;
    }

    std::string bytes() const { return {reinterpret_cast<const char*>(m_bytes), m_size}; }
    Error error() const
    {
        return {ErrorCode::InvalidArgument,
                std::string("JPEG encoding failed: ") + m_errors.message.data()};
    }

private:
    struct Errors {
        jpeg_error_mgr base;
        std::jmp_buf back;
        std::array<char, JMSG_LENGTH_MAX> message;
    };

    static void leave(j_common_ptr info)
    {
        auto* errors = reinterpret_cast<Errors*>(info->err);
        info->err->format_message(info, errors->message.data());
        std::longjmp(errors->back, 1);
    }

    void configure(const Value& image, const JpegSettings& settings)
    {
        m_info.image_height = unsigned(image.dim(0));
        m_info.image_width = unsigned(image.dim(1));
        m_info.input_components = int(image.dim(2));
        m_info.in_color_space = image.dim(2) == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&m_info);
        m_info.optimize_coding = settings.optimizeSize ? TRUE : FALSE;
        m_info.density_unit = settings.densityUnit == PixelDensity::Inch ? 1 : 2;
        m_info.X_density = UINT16(settings.densityX);
        m_info.Y_density = UINT16(settings.densityY);
        jpeg_set_quality(&m_info, settings.quality, TRUE);
        if (settings.progressive)
            jpeg_simple_progression(&m_info);
        if (!settings.halveColor)
            for (int i = 0; i < m_info.num_components; ++i)
                m_info.comp_info[i].h_samp_factor = m_info.comp_info[i].v_samp_factor = 1;
    }

    jpeg_compress_struct m_info{};
    Errors m_errors{};
    unsigned char* m_bytes = nullptr;
    unsigned long m_size = 0;
    bool m_isOpen = false;
};

} // namespace

Result<std::string> encodeJpeg(const Value& image, const JpegSettings& settings)
{
    std::string xmpBlock;
    if (!settings.xmp.empty()) {
        xmpBlock = std::string("http://ns.adobe.com/xap/1.0/") + '\0' + std::string(settings.xmp);
        constexpr std::size_t most = 65533; // bytes in one marker
        if (xmpBlock.size() > most)
            return Error{ErrorCode::InvalidArgument, "xmp_metadata is too long for a JPEG"};
    }
    JpegWriter writer;
    if (!writer.write(image, settings, xmpBlock))
        return writer.error();
    return writer.bytes();
}

} // namespace lapidary
