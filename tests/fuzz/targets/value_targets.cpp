// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/feed.h"
#include "runner/feeds/image_feed.h"
#include "runner/feeds/npy_values.h"
#include "runner/feeds/written_value.h"
#include "runner/feeds/zip_archive.h"
#include "runner/kernels/codecs/picture.h"
#include "runner/kernels/speech/wav.h"
#include "tests/fuzz/targets/targets.h"

namespace lapidary::fuzz {

// The first byte chooses channels, reduction and transform; the rest is the file.
void readImage(std::string_view bytes)
{
    if (bytes.empty())
        return;
    const auto choice = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    MemoryPool pool(memoryLimit);
    const Job job;
    constexpr int channels[] = {0, 1, 3, 4};
    (void)decodePicture(bytes, channels[choice & 3U], pool, job);
    StillOptions options;
    options.channels = channels[choice & 3U];
    options.dtype = (choice & 4U) != 0 ? DType::UInt16 : DType::UInt8;
    options.jpeg.ratio = 1 << ((choice >> 3U) & 3U);
    options.jpeg.recoverTruncated = (choice & 32U) != 0;
    options.jpeg.transform = (choice & 64U) != 0 ? JpegTransform::Accurate : JpegTransform::Fast;
    (void)decodeStill(bytes, options, {pool, job});
    if (const auto gif = decodeGif(bytes, {pool, job}))
        promise(gif->dims().size() == 4, "a GIF has frames");
    (void)decodeBmp(bytes, {pool, job});
    (void)jpegSize(bytes);
    promise(pool.peakBytes() <= memoryLimit, "pictures keep to the limit");
}

void readSound(std::string_view bytes)
{
    const auto file = readWav(bytes);
    promise(!file || file->samples.size() == std::size_t(file->channels * file->length * 2),
            "there are as many samples as the file says");
}

void readNpy(std::string_view bytes)
{
    MemoryPool pool(memoryLimit);
    const auto value = decodeNpy(bytes, pool);
    promise(!value || value->byteCount() <= bytes.size() * 16, "numbers come from the file");
}

void readNpz(std::string_view bytes)
{
    const auto entries = readZipDirectory(bytes);
    if (!entries)
        return;
    MemoryPool pool(memoryLimit);
    for (const ZipEntry& entry : *entries)
        if (const auto content = readZipEntry(bytes, entry, memoryLimit)) {
            promise(content->size() <= memoryLimit, "entries keep to the limit");
            (void)decodeNpy(*content, pool);
        }
}

// The first byte chooses the type; the rest is the text that a user typed.
void readWritten(std::string_view bytes)
{
    if (bytes.empty())
        return;
    constexpr DType types[] = {DType::Float, DType::Int32,  DType::Int64, DType::Bool,
                               DType::Half,  DType::String, DType::UInt8, DType::Double};
    FeedTarget target;
    target.tensor = "x:0";
    const auto choice = static_cast<unsigned char>(bytes[0]);
    target.dtype = types[choice & 7U];
    target.shape = (choice & 8U) != 0 ? Shape{{}, true} : Shape{{-1, 2}, false};
    MemoryPool pool(memoryLimit);
    const auto value = writtenValue(target, bytes.substr(1), pool);
    promise(!value || value->dtype() == target.dtype, "a value has the type that was asked for");
}

} // namespace lapidary::fuzz
