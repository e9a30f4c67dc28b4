// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/requantization.h"

#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

namespace lapidary::int8 {

// What follows the sums of a convolution, in float, channel by channel and each step rounded, so
// that it gives the bits of nodes of their own:
//   y = min(max(x * factors[c] + offsets[c] + other, low), highs[c])
// A number that is not a number stays one.
struct ChannelEnd {
    explicit ChannelEnd(std::int64_t channels); // changes nothing

    // Of whole sums: x = bias + sum * step. Else the rows hold x itself.
    bool isOfSums = false;
    float bias = 0;
    float step = 1;
    std::vector<float> factors;
    std::vector<float> offsets;
    float low = -std::numeric_limits<float>::infinity();
    std::vector<float> highs;

    // Writes y over what the rows hold, int32 or float, and makes the range hold it. `other`: as
    // many rows that are added, or null. In the caller's thread.
    void run(float* rows, std::int64_t count, const float* other, RealRange& range) const;
};

// The range of no numbers.
inline constexpr RealRange noReals{std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity()};

// Turns the sums of a layer into its output, from several threads at once, and keeps the range of
// the output.
class Ending {
public:
    // `other` has as many rows as the layer makes, and they are added; null adds nothing.
    explicit Ending(ChannelEnd end, const float* other = nullptr);

    const ChannelEnd& byChannel() const { return m_end; }
    const float* other() const { return m_other; }
    // Ends rows of sums, of which `rows` is the first; the added ones begin at `first`.
    void run(float* rows, std::int64_t count, std::int64_t first = 0);
    // Takes the range of rows that were ended elsewhere.
    void include(const RealRange& part);
    RealRange range() const { return m_range; }

private:
    ChannelEnd m_end;
    const float* m_other;
    std::mutex m_guard;
    RealRange m_range = noReals;
};

} // namespace lapidary::int8
