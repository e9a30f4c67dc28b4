// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/codecs/picture.h"

#include "graph_model/base/printable.h"

namespace lapidary {
namespace {

Result<Value> decodeOneFrame(std::string_view bytes, const StillOptions& options, DecodeRoom room)
{
    if (options.dtype != DType::UInt8)
        return Error{ErrorCode::InvalidArgument, "GIF does not support uint16 output"};
    if (options.channels != 0 && options.channels != 3)
        return Error{ErrorCode::InvalidArgument,
                     "channels must be 0 or 3 for GIF, got " + std::to_string(options.channels)};
    const auto frames = decodeGif(bytes, room);
    if (!frames)
        return frames;
    const Dims& dims = frames->dims();
    if (dims[0] != 1)
        return Error{ErrorCode::InvalidArgument, "the GIF has " + std::to_string(dims[0]) +
                                                     " frames: only DecodeGif takes several"};
    return frames->reshaped({dims[1], dims[2], dims[3]});
}

Result<Value> decodeStillJpeg(std::string_view bytes, const StillOptions& options, DecodeRoom room)
{
    if (options.dtype != DType::UInt8)
        return Error{ErrorCode::InvalidArgument, "JPEG does not support uint16 output"};
    if (options.channels != 0 && options.channels != 1 && options.channels != 3)
        return Error{ErrorCode::InvalidArgument, "channels must be 0, 1, or 3 for JPEG, got " +
                                                     std::to_string(options.channels)};
    JpegOptions jpeg = options.jpeg;
    jpeg.channels = options.channels;
    return decodeJpeg(bytes, jpeg, room);
}

} // namespace

PictureFormat pictureFormat(std::string_view bytes)
{
    if (bytes.starts_with("\xFF\xD8\xFF"))
        return PictureFormat::Jpeg;
    if (bytes.starts_with("\x89PNG\r\n\x1A\n"))
        return PictureFormat::Png;
    if (bytes.starts_with("GIF8"))
        return PictureFormat::Gif;
    if (bytes.starts_with("BM"))
        return PictureFormat::Bmp;
    return PictureFormat::Unknown;
}

Error unknownPicture(std::string_view bytes, std::string_view known)
{
    const std::string what =
        bytes.empty() ? "an empty file"
                      : "unknown content starting with '" + printable(bytes.substr(0, 16)) + "'";
    return {ErrorCode::InvalidArgument,
            "expected an image (" + std::string(known) + "), got " + what};
}

Result<Value> decodeStill(std::string_view bytes, const StillOptions& options, DecodeRoom room)
{
    switch (pictureFormat(bytes)) {
    case PictureFormat::Jpeg: return decodeStillJpeg(bytes, options, room);
    case PictureFormat::Png: return decodePng(bytes, options.channels, options.dtype, room);
    case PictureFormat::Gif: return decodeOneFrame(bytes, options, room);
    case PictureFormat::Bmp:
    case PictureFormat::Unknown: break;
    }
    return unknownPicture(bytes);
}

} // namespace lapidary
