// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct FrozenRange {
    float min = 0;
    float max = 0;
};

// A line of a log: "...;NODE__print__;__requant_min_max:[MIN][MAX]".
struct RangeRecord {
    std::string node;
    FrozenRange range;
};
// Lines that do not fit are skipped (spec: transforms, section 7.8).
std::vector<RangeRecord> parseRangeLog(std::string_view text);

// How one range is computed from many.
struct RangeChoice {
    float minPercentile = 5; // percentage of the lowest minima that is left out
    float maxPercentile = 5; // of the highest maxima
    // If above 0, a moving average is used instead, of which each record keeps this share.
    float movingAverage = 0;
};
// Returns an error if a percentage is not between 0 and 100 or the share is not below 1.
Status checkChoice(const RangeChoice& choice);

using FrozenRanges = std::map<std::string, FrozenRange>; // by node
FrozenRanges frozenRanges(const std::vector<RangeRecord>& records, const RangeChoice& choice);
// Reads a log file. Errors name the file.
Result<FrozenRanges> frozenRanges(const std::string& file, const RangeChoice& choice);

} // namespace lapidary
