// SPDX-License-Identifier: Apache-2.0
// JPEG by libjpeg. The library leaves by longjmp; each function that calls setjmp here holds
// nothing that needs a destructor, so that nothing is lost.
#include "runner/kernels/codecs/picture.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>

namespace lapidary {
namespace {

constexpr int mostScans = 500; // files with more only waste time

class JpegReader {
public:
    JpegReader(std::string_view bytes, bool recoversTruncated)
        : m_recovers(recoversTruncated)
    {
        m_info.err = jpeg_std_error(&m_errors.base);
        m_errors.base.error_exit = leave;
        m_errors.base.emit_message = [](j_common_ptr, int) {};
        m_errors.base.output_message = [](j_common_ptr) {};
        m_source.base.init_source = [](j_decompress_ptr) {};
        m_source.base.fill_input_buffer = fill;
        m_source.base.skip_input_data = skip;
        m_source.base.resync_to_restart = jpeg_resync_to_restart;
        m_source.base.term_source = [](j_decompress_ptr) {};
        m_source.base.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
        m_source.base.bytes_in_buffer = bytes.size();
        m_source.reader = this;
        m_progress.progress_monitor = watchScans;
    }
    ~JpegReader()
    {
        if (m_isOpen)
            jpeg_destroy_decompress(&m_info);
    }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    bool readHeader(std::uint64_t memoryLimit)
    {
        if (setjmp(m_errors.back) != 0)
            return false;
        jpeg_create_decompress(&m_info);
        m_isOpen = true;
        m_info.src = &m_source.base;
        m_info.progress = &m_progress;
        m_info.mem->max_memory_to_use = long(std::min<std::uint64_t>(memoryLimit, 1ULL << 40));
        return jpeg_read_header(&m_info, TRUE) == JPEG_HEADER_OK;
    }

    bool start(const JpegOptions& options)
    {
        if (setjmp(m_errors.back) != 0)
            return false;
        m_info.scale_num = 1;
        m_info.scale_denom = unsigned(options.ratio);
        m_info.do_fancy_upsampling = options.smoothUpscaling ? TRUE : FALSE;
        m_info.dct_method = options.transform == JpegTransform::Fast ? JDCT_IFAST : JDCT_ISLOW;
        const int channels =
            options.channels != 0 ? options.channels : std::min(m_info.num_components, 3);
        if (channels == 1)
            m_info.out_color_space = JCS_GRAYSCALE;
        else
            m_info.out_color_space = isFourColor() ? JCS_CMYK : JCS_RGB;
        return jpeg_start_decompress(&m_info) == TRUE;
    }

    // Decodes only the columns of `window` and some before and after them. Returns false on errors.
    bool crop(const CropWindow& window)
    {
        if (setjmp(m_errors.back) != 0)
            return false;
        JDIMENSION left = JDIMENSION(window.left);
        JDIMENSION width = JDIMENSION(window.width);
        jpeg_crop_scanline(&m_info, &left, &width);
        m_left = left;
        return true;
    }

    // Returns false at the end of the data and on errors.
    bool readRow(JSAMPLE* row)
    {
        if (setjmp(m_errors.back) != 0)
            return false;
        return jpeg_read_scanlines(&m_info, &row, 1) == 1;
    }

    const jpeg_decompress_struct& info() const { return m_info; }
    // Returns the first column that is decoded.
    std::int64_t left() const { return m_left; }
    bool isFourColor() const
    {
        return m_info.jpeg_color_space == JCS_CMYK || m_info.jpeg_color_space == JCS_YCCK;
    }
    Error error() const
    {
        const std::string why =
            m_errors.message[0] != 0 ? m_errors.message.data() : "it ends early";
        return {ErrorCode::InvalidArgument, "invalid JPEG data: " + why};
    }

private:
    struct Errors {
        jpeg_error_mgr base;
        std::jmp_buf back;
        std::array<char, JMSG_LENGTH_MAX> message;
    };
    struct Source {
        jpeg_source_mgr base;
        JpegReader* reader;
    };

    static void leave(j_common_ptr info)
    {
        auto* errors = reinterpret_cast<Errors*>(info->err);
        info->err->format_message(info, errors->message.data());
        std::longjmp(errors->back, 1);
    }

    static void watchScans(j_common_ptr info)
    {
        const auto* decoder = reinterpret_cast<j_decompress_ptr>(info);
        if (decoder->input_scan_number <= mostScans)
            return;
        auto* errors = reinterpret_cast<Errors*>(info->err);
        std::snprintf(errors->message.data(), errors->message.size(), "it has too many scans");
        std::longjmp(errors->back, 1);
    }

    static boolean fill(j_decompress_ptr info)
    {
        static const std::array<JOCTET, 2> ending{0xFF, JPEG_EOI};
        JpegReader& reader = *reinterpret_cast<Source*>(info->src)->reader;
        if (!reader.m_recovers || ++reader.m_endings > 8)
            return FALSE;
        info->src->next_input_byte = ending.data();
        info->src->bytes_in_buffer = ending.size();
        return TRUE;
    }

    static void skip(j_decompress_ptr info, long count)
    {
        const auto left = long(std::min<std::size_t>(info->src->bytes_in_buffer, 1UL << 40));
        const long skipped = std::clamp(count, 0L, left);
        info->src->next_input_byte += skipped;
        info->src->bytes_in_buffer -= std::size_t(skipped);
    }

    jpeg_decompress_struct m_info{};
    Errors m_errors{};
    Source m_source{};
    jpeg_progress_mgr m_progress{};
    std::int64_t m_left = 0;
    int m_endings = 0;
    bool m_recovers;
    bool m_isOpen = false;
};

// Converts CMYK to RGB; files by Adobe's programs hold inverted values.
void rgbFromFourColors(const JSAMPLE* from, std::int64_t pixels, bool isInverted, std::uint8_t* to)
{
    for (std::int64_t i = 0; i < pixels; ++i, from += 4, to += 3) {
        const int black = isInverted ? from[3] : 255 - from[3];
        for (int c = 0; c < 3; ++c)
            to[c] = std::uint8_t(black * (isInverted ? from[c] : 255 - from[c]) / 255);
    }
}

Result<CropWindow> windowOf(const CropWindow& asked, const jpeg_decompress_struct& info)
{
    const std::int64_t height = info.output_height;
    const std::int64_t width = info.output_width;
    if (asked.height == 0 && asked.width == 0)
        return CropWindow{0, 0, height, width};
    if (asked.top < 0 || asked.left < 0 || asked.height <= 0 || asked.width <= 0 ||
        asked.top + asked.height > height || asked.left + asked.width > width)
        return Error{ErrorCode::InvalidArgument, "the crop window lies outside the JPEG of " +
                                                     std::to_string(height) + " rows and " +
                                                     std::to_string(width) + " columns"};
    return asked;
}

struct Rows {
    CropWindow window;
    std::int64_t channels;
    Value row; // one row in the form that libjpeg writes
    Value image;
};

Result<Rows> makeRows(const CropWindow& window, const JpegReader& reader, MemoryPool& pool)
{
    const auto& info = reader.info();
    const std::int64_t channels = info.output_components == 4 ? 3 : info.output_components;
    ASSIGN_OR_RETURN(
        auto row,
        Value::make(DType::UInt8, {std::int64_t(info.output_width), info.output_components}, pool));
    ASSIGN_OR_RETURN(auto image,
                     Value::make(DType::UInt8, {window.height, window.width, channels}, pool));
    return Rows{window, channels, std::move(row), std::move(image)};
}

void store(const JpegReader& reader, std::int64_t y, Rows& rows)
{
    const std::int64_t rowSize = rows.window.width * rows.channels;
    std::uint8_t* to = rows.image.mutableAs<std::uint8_t>().data() + y * rowSize;
    const std::uint8_t* from = rows.row.as<std::uint8_t>().data() +
                               (rows.window.left - reader.left()) * reader.info().output_components;
    if (reader.info().output_components == 4)
        rgbFromFourColors(from, rows.window.width, reader.info().saw_Adobe_marker == TRUE, to);
    else
        std::memcpy(to, from, std::size_t(rowSize));
}

Result<Value> readRows(JpegReader& reader, const JpegOptions& options, DecodeRoom room)
{
    ASSIGN_OR_RETURN(const auto window, windowOf(options.crop, reader.info()));
    const std::int64_t width = window.width;
    if (width < reader.info().output_width && !reader.crop(window))
        return reader.error();
    ASSIGN_OR_RETURN(auto made, makeRows(window, reader, room.pool));
    Rows& rows = made;
    const std::int64_t last = rows.window.top + rows.window.height;
    for (std::int64_t y = 0; y < last; ++y) {
        if (room.job.cancelled())
            return cancelledError();
        if (!reader.readRow(rows.row.mutableAs<std::uint8_t>().data()))
            return reader.error();
        if (y >= rows.window.top)
            store(reader, y - rows.window.top, rows);
    }
    return std::move(rows.image);
}

} // namespace

Result<Value> decodeJpeg(std::string_view bytes, const JpegOptions& options, DecodeRoom room)
{
    JpegReader reader(bytes, options.recoverTruncated);
    if (!reader.readHeader(room.pool.limitBytes()))
        return reader.error();
    const int components = reader.info().num_components;
    if (components != 1 && components != 3 && components != 4)
        return Error{ErrorCode::InvalidArgument,
                     "a JPEG of " + std::to_string(components) + " components has no known colors"};
    if (options.channels == 1 && reader.isFourColor())
        return Error{ErrorCode::InvalidArgument, "a CMYK JPEG cannot be read as gray"};
    if (!reader.start(options))
        return reader.error();
    return readRows(reader, options, room);
}

Result<PictureSize> jpegSize(std::string_view bytes)
{
    JpegReader reader(bytes, false);
    constexpr std::uint64_t enoughForHeaders = std::uint64_t(16) << 20;
    if (!reader.readHeader(enoughForHeaders))
        return reader.error();
    return PictureSize{std::int64_t(reader.info().image_height),
                       std::int64_t(reader.info().image_width), reader.info().num_components};
}

} // namespace lapidary
