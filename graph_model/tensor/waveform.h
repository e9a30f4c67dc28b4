// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// Samples over time, divided into columns with their minimum and maximum.
struct Waveform {
    struct Span {
        float low = 0;
        float high = 0;
        bool isEmpty = true; // no sample is finite
    };
    std::int64_t samples = 0;
    std::int64_t allChannels = 0;
    std::vector<std::vector<Span>> channels; // at most the first eight, each with the same columns
    double low = 0;                          // minimum of everything shown
    double high = 0;
};

// Returns whether a tensor is a sound: [samples] or [samples, channels], possibly with more axes of
// size 1; at least 64 samples, and far more samples than channels.
bool isWaveformShape(const Shape& shape);
// Makes at most `columns` columns; fewer if there are fewer samples. Errors: another shape, and no
// numbers. O(elements).
Result<Waveform> waveformOf(const Tensor& tensor, int columns, const Job& job);

} // namespace lapidary
