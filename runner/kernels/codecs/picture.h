// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "runner/values/memory_pool.h"
#include "runner/values/value.h"

#include <string>
#include <string_view>

namespace lapidary {

enum class PictureFormat { Unknown, Jpeg, Png, Gif, Bmp };

// Recognizes the format by the first bytes; the name of a file does not matter.
PictureFormat pictureFormat(std::string_view bytes);

enum class JpegTransform { Fast, Accurate };

// The part of an image to decode, in pixels of the result.
struct CropWindow {
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t height = 0; // 0: the whole image
    std::int64_t width = 0;
};

struct JpegOptions {
    int channels = 0; // 0: as stored; 1 or 3
    int ratio = 1;    // each side is divided by 1, 2, 4 or 8, rounded up
    bool smoothUpscaling = true;
    bool recoverTruncated = false; // missing data is replaced
    JpegTransform transform = JpegTransform::Fast;
    CropWindow crop;
};

// The memory and the job for decoding. No image takes more memory than the pool allows.
struct DecodeRoom {
    MemoryPool& pool;
    const Job& job;
};

struct PictureSize {
    std::int64_t height = 0;
    std::int64_t width = 0;
    int channels = 0;
};

// Decodes to uint8 [height, width, channels].
Result<Value> decodeJpeg(std::string_view bytes, const JpegOptions& options, DecodeRoom room);
Result<PictureSize> jpegSize(std::string_view bytes);
// Decodes to `dtype`, which is uint8 or uint16; `channels`: 0 (as stored), 1, 3 or 4.
Result<Value> decodePng(std::string_view bytes, int channels, DType dtype, DecodeRoom room);
// Decodes to uint8 [frames, height, width, 3]. Each frame is drawn over the one before.
Result<Value> decodeGif(std::string_view bytes, DecodeRoom room);
// Decodes to uint8 with the channels of the file: 1, 3 or 4.
Result<Value> decodeBmp(std::string_view bytes, DecodeRoom room);

// Options for JPEG, PNG or a GIF of one frame, recognized by the content.
struct StillOptions {
    int channels = 0;
    DType dtype = DType::UInt8;
    JpegOptions jpeg; // its `channels` are ignored
};
Result<Value> decodeStill(std::string_view bytes, const StillOptions& options, DecodeRoom room);
// Returns the error "expected an image (JPEG, PNG or GIF), got ...".
Error unknownPicture(std::string_view bytes, std::string_view known = "JPEG, PNG or GIF");

enum class PixelDensity { Inch, Centimetre };

struct JpegSettings {
    int quality = 95;
    bool progressive = false;
    bool optimizeSize = false;
    bool halveColor = true; // chroma at half the resolution
    PixelDensity densityUnit = PixelDensity::Inch;
    int densityX = 300;
    int densityY = 300;
    std::string_view xmp;
};

// `image`: uint8 [height, width, 1 or 3].
Result<std::string> encodeJpeg(const Value& image, const JpegSettings& settings);
// `image`: uint8 or uint16 [height, width, 1 to 4]; `compression`: -1 (zlib's default) or 0 to 9.
Result<std::string> encodePng(const Value& image, int compression);

} // namespace lapidary
