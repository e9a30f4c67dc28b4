// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "transforms/quantize/range_log.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary {

// How the range of a tensor is chosen from the values that it had.
enum class RangeMethod {
    MinMax,     // of all values
    Average,    // of the smallest and of the largest value of each sample
    Percentile, // all values but the outermost
    Mse,        // the range whose codes are closest to the values
    Kl,         // the range whose codes keep most of the distribution
    Statistics, // from folded batch normalizations, not from values
};
Result<RangeMethod> rangeMethod(std::string_view name);
// Returns whether values have to be counted once their smallest and largest are known.
bool needsCounts(RangeMethod method);

// The values of one tensor over many samples: add the extremes of every sample, then, if the method
// needs them, the counts of the same samples. Values that are not finite are left out.
class ValueHistogram {
public:
    void addExtremes(std::span<const float> values);
    void addCounts(std::span<const float> values);

    // Returns a range that contains 0 and is never empty. `percentile` is from above 50 to 100.
    // O(bins * ranges tried).
    FrozenRange range(RangeMethod method, double percentile) const;

private:
    double binWidth() const;
    double valueOf(std::size_t bin) const; // of its middle
    FrozenRange percentileRange(double percentile) const;
    template <class Loss>
    FrozenRange leastLoss(const Loss& loss) const;
    double squaredError(const FrozenRange& range) const;
    double divergence(const FrozenRange& range) const;

    double m_low = 0; // of the values and 0
    double m_high = 0;
    double m_sumOfLowest = 0;
    double m_sumOfHighest = 0;
    std::size_t m_samples = 0;
    std::vector<std::uint64_t> m_counts;
};

} // namespace lapidary
