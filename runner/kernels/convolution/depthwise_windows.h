// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/channel_end.h"

#include <cstdint>

namespace lapidary {

// Adjacent outputs in a row of a depthwise convolution, all with the same filter taps inside the
// input.
struct DepthwiseWindows {
    const float* x = nullptr;    // the input under the first tap of the first output
    std::int64_t xRow = 0;       // floats from one row to the next
    std::int64_t xStep = 0;      // floats from one output's window to the next one's
    const float* taps = nullptr; // the first tap
    std::int64_t tapRow = 0;
    std::int64_t rows = 0; // of taps
    std::int64_t columns = 0;
    float* y = nullptr;
    std::int64_t outputs = 0;
    std::int64_t channels = 0;
};

// Sums the products of each channel in the order of the taps, each rounded before it is added. If
// `end` is not null, applies it to the sums, and extends the range to include the results. Runs in
// the caller's thread, with the instructions that the processor has; all give the same bits.
void sumWindows(const DepthwiseWindows& windows, const int8::ChannelEnd* end,
                int8::RealRange& range);

} // namespace lapidary
