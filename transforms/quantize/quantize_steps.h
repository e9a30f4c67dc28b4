// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

// A range that the user knows.
struct FixedRange {
    float min = 0;
    float max = 0;
};

// The steps of quantize_nodes, in this order (spec: transforms, section 7.13). `findings`, unless
// null, gets the matches that were rewritten and those that were not, by ids of `graph`.

// Lets every float Placeholder be fed with codes of `range`.
Result<EditResult> quantizePlaceholders(const GraphPtr& graph, const FixedRange& range,
                                        const Job& job, Findings* findings = nullptr);
// Moves fake quantization before up to three ops that keep the order of values.
Result<EditResult> hoistFakeQuants(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                   Findings* findings = nullptr);
// Turns fake quantization into real quantization, over the trained range.
Result<EditResult> convertFakeQuants(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                     Findings* findings = nullptr);

struct QuantizeOptions {
    std::set<std::string, std::less<>> ignoredOps;
    std::optional<FixedRange> fallback;    // of results, instead of their own
    std::vector<std::string> ignoredNodes; // globs
};
// Turns float ops into 8-bit ones between QuantizeV2 and Dequantize.
Result<EditResult> quantizeOps(const GraphPtr& graph, const PassArgs& args,
                               const QuantizeOptions& options, const Job& job,
                               Findings* findings = nullptr);
// Used instead of quantizeOps(): only Conv2D and MatMul with 8-bit weights compute in 8 bits, and
// their sums become floats.
Result<EditResult> quantizeProducts(const GraphPtr& graph, const PassArgs& args,
                                    const QuantizeOptions& options, const Job& job,
                                    Findings* findings = nullptr);
// Replaces a Requantize to the data's own range, a Dequantize, a QuantizeV2 and another Requantize
// by the last one.
Result<EditResult> mergeRequantizes(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                    Findings* findings = nullptr);
// Lets readers of a value that is dequantized and quantized again read the one before both.
Result<EditResult> skipQuantizations(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                     Findings* findings = nullptr);
// Removes control inputs from a Dequantize to nodes that read its codes.
Result<EditResult> dropWaits(const GraphPtr& graph, const Job& job, Findings* findings = nullptr);

} // namespace lapidary
