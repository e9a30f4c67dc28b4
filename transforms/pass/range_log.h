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

// One range a node from the records of a log file, the given percentages left out at the ends.
// Errors name the file.
Result<std::map<std::string, FrozenRange>> frozenRanges(const std::string& file,
                                                        float minPercentile, float maxPercentile);

} // namespace lapidary
