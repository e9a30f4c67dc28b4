// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// The way the channels of a picture are shown.
enum class PictureMode {
    Color,    // the first three as red, green and blue
    Channels, // each as a separate gray picture, side by side
};
// Chooses the values that are black and white.
enum class PictureScale {
    Common, // the minimum and maximum of the picture
    Each,   // the minimum and maximum of each channel; with Color the same as Common
};

struct PictureChoice {
    PictureMode mode = PictureMode::Channels;
    PictureScale scale = PictureScale::Common;
    std::int64_t picture = 0;     // index in the batch
    bool isChannelsFirst = false; // [channels, height, width], alone or in a batch
};

// A tensor as a picture of 8 bits: rows of red, green and blue.
struct TensorPicture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
    double low = 0; // the value that is black on the common scale
    double high = 0;
    int channels = 0; // number of shown ones; `allChannels` may be more
    std::int64_t allChannels = 0;
    std::int64_t pictures = 1; // in the batch
    int tileWidth = 0;         // of one channel, without the line of one pixel between two
    int tileHeight = 0;
};

// Returns whether a tensor is a picture: [height, width], [height, width, channels] or [batch,
// height, width, channels], at least 2 by 2, of real numbers. Both modes apply to three channels;
// only Channels applies to other numbers.
bool isPictureShape(const Shape& shape, bool isChannelsFirst = false);
// Returns Color for three channels, else Channels.
PictureMode usualMode(const Shape& shape, bool isChannelsFirst = false);

// Makes at most `mostPixels` pixels; channels that do not fit are left out. Errors: not a picture,
// one channel larger than that, and an index that the batch does not have.
Result<TensorPicture> tensorPicture(const Tensor& tensor, const PictureChoice& choice,
                                    std::int64_t mostPixels, const Job& job);

} // namespace lapidary
