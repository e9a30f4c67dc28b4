// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// Samples over time, cut into columns of which each has its least and largest one.
struct Waveform {
    struct Span {
        float low = 0;
        float high = 0;
        bool isEmpty = true; // nothing in it is finite
    };
    std::int64_t samples = 0;
    std::int64_t allChannels = 0;
    std::vector<std::vector<Span>> channels; // the first eight at most, each with the same columns
    double low = 0;                          // of all that is shown
    double high = 0;
};

// A sound is [samples] or [samples, channels], with axes of one element around: at least 64
// samples, and far more samples than channels.
bool isWaveformShape(const Shape& shape);
// Makes at most `columns` columns; fewer if there are fewer samples. Errors: another shape, and no
// numbers. O(elements).
Result<Waveform> waveformOf(const Tensor& tensor, int columns, const Job& job);

} // namespace lapidary
