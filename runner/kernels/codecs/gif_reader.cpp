// SPDX-License-Identifier: Apache-2.0
// GIF by giflib, line by line: a file is read twice, to count frames and to draw them, so that only
// the result needs memory.
#include "runner/kernels/codecs/picture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include <gif_lib.h>

namespace lapidary {
namespace {

Error invalidGif(const std::string& why)
{
    return {ErrorCode::InvalidArgument, "invalid GIF data: " + why};
}

class GifFile {
public:
    explicit GifFile(std::string_view bytes)
        : m_left(bytes)
    {
        m_file = DGifOpen(&m_left, read, nullptr);
    }
    ~GifFile()
    {
        if (m_file != nullptr)
            DGifCloseFile(m_file, nullptr);
    }
    GifFile(const GifFile&) = delete;
    GifFile& operator=(const GifFile&) = delete;

    bool isOpen() const { return m_file != nullptr; }

    // Moves to the next frame and reads its description; nothing at the end of the file.
    Result<bool> nextFrame()
    {
        m_transparent = NO_TRANSPARENT_COLOR;
        for (;;) {
            GifRecordType type = UNDEFINED_RECORD_TYPE;
            if (DGifGetRecordType(m_file, &type) != GIF_OK)
                return invalidGif("it ends early");
            if (type == TERMINATE_RECORD_TYPE)
                return false;
            if (type == IMAGE_DESC_RECORD_TYPE)
                return DGifGetImageDesc(m_file) == GIF_OK ? Result<bool>(true)
                                                          : invalidGif("a frame cannot be read");
            if (type == EXTENSION_RECORD_TYPE && !readExtension())
                return invalidGif("an extension cannot be read");
        }
    }

    bool skipPixels()
    {
        int codeSize = 0;
        GifByteType* block = nullptr;
        if (DGifGetCode(m_file, &codeSize, &block) != GIF_OK)
            return false;
        while (block != nullptr)
            if (DGifGetCodeNext(m_file, &block) != GIF_OK)
                return false;
        return true;
    }

    bool readLine(std::vector<GifPixelType>& line)
    {
        return DGifGetLine(m_file, line.data(), int(line.size())) == GIF_OK;
    }

    const GifImageDesc& frame() const { return m_file->Image; }
    const ColorMapObject* colors() const
    {
        return m_file->Image.ColorMap != nullptr ? m_file->Image.ColorMap : m_file->SColorMap;
    }
    int transparent() const { return m_transparent; }

private:
    static int read(GifFileType* file, GifByteType* to, int count)
    {
        auto& left = *static_cast<std::string_view*>(file->UserData);
        const std::size_t taken = std::min(left.size(), std::size_t(std::max(count, 0)));
        std::memcpy(to, left.data(), taken);
        left.remove_prefix(taken);
        return int(taken);
    }

    bool readExtension()
    {
        int code = 0;
        GifByteType* block = nullptr;
        if (DGifGetExtension(m_file, &code, &block) != GIF_OK)
            return false;
        GraphicsControlBlock control{};
        if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr &&
            DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            m_transparent = control.TransparentColor;
        while (block != nullptr)
            if (DGifGetExtensionNext(m_file, &block) != GIF_OK)
                return false;
        return true;
    }

    std::string_view m_left;
    GifFileType* m_file = nullptr;
    int m_transparent = NO_TRANSPARENT_COLOR;
};

// Returns the frames, height and width of the result: those of the highest and widest frame.
Result<Dims> measure(std::string_view bytes, const Job& job)
{
    GifFile file(bytes);
    if (!file.isOpen())
        return invalidGif("its header cannot be read");
    Dims dims{0, 0, 0, 3};
    for (;;) {
        if (job.cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(const auto more, file.nextFrame());
        if (!more)
            break;
        ++dims[0];
        dims[1] = std::max<std::int64_t>(dims[1], file.frame().Height);
        dims[2] = std::max<std::int64_t>(dims[2], file.frame().Width);
        if (!file.skipPixels())
            return invalidGif("frame " + std::to_string(dims[0]) + " ends early");
    }
    if (dims[0] == 0)
        return invalidGif("it has no frame");
    return dims;
}

class Canvas {
public:
    Canvas(Value& image, std::int64_t frame)
        : m_height(image.dim(1))
        , m_width(image.dim(2))
    {
        const std::int64_t size = m_height * m_width * 3;
        m_pixels = image.mutableAs<std::uint8_t>().data() + frame * size;
        if (frame == 0)
            std::memset(m_pixels, 0, std::size_t(size));
        else
            std::memcpy(m_pixels, m_pixels - size, std::size_t(size));
    }

    // Returns false if a pixel has no color.
    bool drawLine(std::int64_t y, std::int64_t left, const std::vector<GifPixelType>& line,
                  const ColorMapObject& colors, int transparent)
    {
        if (y >= m_height)
            return true;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::int64_t x = left + std::int64_t(i);
            if (x >= m_width)
                break;
            if (int(line[i]) == transparent)
                continue;
            if (int(line[i]) >= colors.ColorCount)
                return false;
            const GifColorType& color = colors.Colors[line[i]];
            std::uint8_t* pixel = m_pixels + (y * m_width + x) * 3;
            pixel[0] = color.Red;
            pixel[1] = color.Green;
            pixel[2] = color.Blue;
        }
        return true;
    }

private:
    std::int64_t m_height;
    std::int64_t m_width;
    std::uint8_t* m_pixels;
};

// Returns the rows of a frame in the order of the file.
std::vector<int> rowOrder(const GifImageDesc& frame)
{
    constexpr std::array<std::pair<int, int>, 4> passes{{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    std::vector<int> rows;
    if (!frame.Interlace)
        for (int y = 0; y < frame.Height; ++y)
            rows.push_back(y);
    else
        for (const auto& [first, step] : passes)
            for (int y = first; y < frame.Height; y += step)
                rows.push_back(y);
    return rows;
}

Status drawFrame(GifFile& file, Value& image, std::int64_t index, const Job& job)
{
    const GifImageDesc& frame = file.frame();
    const std::string name = "frame " + std::to_string(index + 1);
    if (file.colors() == nullptr)
        return invalidGif(name + " has no colors");
    Canvas canvas(image, index);
    std::vector<GifPixelType> line(std::size_t(frame.Width), 0);
    for (const int y : rowOrder(frame)) {
        if (job.cancelled())
            return cancelledError();
        if (!file.readLine(line))
            return invalidGif(name + " ends early");
        if (!canvas.drawLine(frame.Top + y, frame.Left, line, *file.colors(), file.transparent()))
            return invalidGif(name + " has a pixel outside its colors");
    }
    return Done{};
}

} // namespace

Result<Value> decodeGif(std::string_view bytes, DecodeRoom room)
{
    ASSIGN_OR_RETURN(const auto dims, measure(bytes, room.job));
    auto image = Value::make(DType::UInt8, dims, room.pool);
    if (!image)
        return image;
    GifFile file(bytes);
    for (std::int64_t i = 0; i < dims[0]; ++i) {
        RETURN_IF_ERROR(file.nextFrame());
        RETURN_IF_ERROR(drawFrame(file, *image, i, room.job));
    }
    return image;
}

} // namespace lapidary
