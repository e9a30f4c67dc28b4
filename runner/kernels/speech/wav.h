// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// A RIFF file of 16-bit PCM; `samples` are the bytes of the int16 values, with all channels of one
// moment after those of the moment before.
struct WavFile {
    std::int32_t rate = 0;
    std::int64_t channels = 0;
    std::int64_t length = 0; // moments
    std::string_view samples;

    // The moment and the channel must exist.
    std::int16_t sample(std::int64_t moment, std::int64_t channel) const
    {
        std::int16_t number = 0;
        std::memcpy(&number, samples.data() + (moment * channels + channel) * 2, sizeof(number));
        return number;
    }
};

// Returns the value of a sample from -1 to 1, as DecodeWav does.
inline float loudness(std::int16_t sample)
{
    return float(sample) / 32768.0F;
}

// Returns whether the bytes begin as a WAV file does, of whatever coding.
bool isWav(std::string_view bytes);

Result<WavFile> readWav(std::string_view bytes);
// Returns a file of 16-bit PCM from floats, which are clamped to [-1, 1].
Result<std::string> writeWav(std::span<const float> samples, std::int64_t channels,
                             std::int32_t rate);

} // namespace lapidary
