// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/requantization.h"

#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

namespace lapidary::int8 {

// The operations after the sums of a convolution, in float, channel by channel and each step
// rounded, so that the bits are those of separate nodes:
//   y = min(max(x * factors[c] + offsets[c] + other, low), highs[c])
// NaN stays NaN.
struct ChannelEnd {
    explicit ChannelEnd(std::int64_t channels); // changes nothing

    // If true, the rows hold integer sums: x = bias + sum * step. Else they hold x itself.
    bool isOfSums = false;
    float bias = 0;
    float step = 1;
    std::vector<float> factors;
    std::vector<float> offsets;
    float low = -std::numeric_limits<float>::infinity();
    std::vector<float> highs;

    // Replaces the numbers in the rows, int32 or float, by y, and extends the range to include it.
    // `other`: as many rows to add, or null. Runs in the caller's thread.
    void run(float* rows, std::int64_t count, const float* other, RealRange& range) const;
};

// The range of no numbers.
inline constexpr RealRange noReals{std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity()};

// Turns the sums of a layer into its output and keeps the range of the output. Several threads may
// use it at once.
class Ending {
public:
    // `other`: rows to add, as many as the layer makes; null adds nothing.
    explicit Ending(ChannelEnd end, const float* other = nullptr);

    const ChannelEnd& byChannel() const { return m_end; }
    const float* other() const { return m_other; }
    // Applies the end to `count` rows of sums that begin at `rows`. `first`: index of the first one
    // in the whole output, for the rows that are added.
    void run(float* rows, std::int64_t count, std::int64_t first = 0);
    // Adds the range of rows whose end was applied elsewhere.
    void include(const RealRange& part);
    RealRange range() const { return m_range; }

private:
    ChannelEnd m_end;
    const float* m_other;
    std::mutex m_guard;
    RealRange m_range = noReals;
};

} // namespace lapidary::int8
