// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/values/memory_pool.h"
#include "runner/values/value.h"

#include <string_view>

namespace lapidary {

// How a picture becomes the input of a network, as label_image does it.
struct ImageFeed {
    std::int64_t height = 0; // 0: as in the file; otherwise the picture is resized, bilinearly
    std::int64_t width = 0;
    float mean = 0.0F; // each pixel's value x becomes (x - mean) / std
    float std = 255.0F;
    int channels = 3;             // 1 or 3
    bool isChannelsFirst = false; // [1, channels, height, width]
};

// Returns float [1, height, width, channels], or with the channels first, from the bytes of a PNG,
// JPEG, BMP or GIF of one frame, recognized by its content. No larger than the pool allows.
Result<Value> imageFeed(std::string_view bytes, const ImageFeed& feed, MemoryPool& pool,
                        const Job& job);
// Only decodes: returns uint8 [height, width, channels] as in the file.
Result<Value> decodePicture(std::string_view bytes, int channels, MemoryPool& pool, const Job& job);

// Moves the channels of [1, height, width, channels], float or uint8, to the front.
Result<Value> withChannelsFirst(const Value& image, MemoryPool& pool);

} // namespace lapidary
