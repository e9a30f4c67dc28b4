// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"
#include "transforms/pass/pass.h"
#include "transforms/quantize/range_log.h"

#include <span>
#include <string>
#include <vector>

namespace lapidary {

// A range that a graph measures while it runs: Min and Max before one or more QuantizeV2, or a
// RequantizationRange.
struct MeasuredRange {
    NodeId head; // the first QuantizeV2, or the RequantizationRange
    NodeId min;  // invalid: a RequantizationRange
    NodeId max;
    Endpoint tensor; // whose range it is
    bool isRequantized = false;
    std::string why; // not empty: it has to stay measured
};

// Returns all measured ranges of a graph, in its order.
std::vector<MeasuredRange> measuredRanges(const Graph& graph, const PassArgs& args);

// Returns the tensors to fetch for the values that have these ranges: floats, or sums of 32 bits
// with the numbers that they represent.
std::vector<std::string> tensorsToMeasure(const Graph& graph,
                                          const std::vector<MeasuredRange>& places);
std::vector<std::vector<float>> measuredFloats(const std::vector<MeasuredRange>& places,
                                               std::span<const Value> fetched);

// Replaces each Min and Max by a constant, and removes nodes that only these read, except inputs
// and outputs of the model. Ranges of sums are left to freezeRanges().
Result<EditResult> freezeMeasured(const GraphPtr& graph, const std::vector<MeasuredRange>& places,
                                  const std::vector<FrozenRange>& ranges, const PassArgs& args);

} // namespace lapidary
