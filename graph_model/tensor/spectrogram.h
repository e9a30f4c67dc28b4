// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/waveform.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// The strength of each frequency of a sound over time.
struct Spectrogram {
    static constexpr double quietest = -90; // in dB below the strongest; level 0
    // The levels of each channel that a Waveform shows, row by row: columns are times, and rows
    // frequencies, from half of the sampling rate in the first one down to 0 in the last one. Level
    // 255 is the strongest of all channels; the levels are linear in dB.
    std::vector<std::vector<std::uint8_t>> channels;
    int rows = 0;
    int columns = 0;
    int window = 0; // samples of a column
};

// Makes at most `columns` columns. Windows are Hann windows; samples that are not finite count as
// silence. Errors are those of waveformOf(). O(elements + columns * window * log(window)).
Result<Spectrogram> spectrogramOf(const Tensor& tensor, int columns, const Job& job);

} // namespace lapidary
