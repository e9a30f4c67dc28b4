// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// How the channels of a picture are shown.
enum class PictureMode {
    Color,    // the first three as red, green and blue
    Channels, // each as a gray picture of its own, side by side
};
// The values that are black and white.
enum class PictureScale {
    Common, // the least and the largest value of the picture
    Each,   // those of each channel; with Color the same as Common
};

struct PictureChoice {
    PictureMode mode = PictureMode::Channels;
    PictureScale scale = PictureScale::Common;
    std::int64_t picture = 0;     // of the batch
    bool isChannelsFirst = false; // [channels, height, width], alone or in a batch
};

// A tensor as a picture of 8 bits: rows of red, green and blue.
struct TensorPicture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
    double low = 0; // the value that is black on the common scale
    double high = 0;
    int channels = 0; // the number that is shown; `allChannels` may be more
    std::int64_t allChannels = 0;
    std::int64_t pictures = 1; // in the batch
    int tileWidth = 0;         // of one channel, without the line of one pixel between two
    int tileHeight = 0;
};

// Pictures are [height, width], [height, width, channels] and [batch, height, width, channels],
// each at least 2 by 2, of real numbers. Both modes apply where there are three channels; of others
// Channels only.
bool isPictureShape(const Shape& shape, bool isChannelsFirst = false);
// Color for three channels
PictureMode usualMode(const Shape& shape, bool isChannelsFirst = false);

// Makes at most `mostPixels` pixels; channels that no longer fit are left out. Errors: not a
// picture, one that is larger than that, and a number that the batch does not have.
Result<TensorPicture> tensorPicture(const Tensor& tensor, const PictureChoice& choice,
                                    std::int64_t mostPixels, const Job& job);

} // namespace lapidary
