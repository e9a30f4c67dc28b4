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
// null, gets what was rewritten and what was not, by ids of `graph`.

// Lets every float Placeholder be fed with codes of `range`.
Result<EditResult> quantizePlaceholders(const GraphPtr& graph, const FixedRange& range,
                                        const Job& job, Findings* findings = nullptr);
// Lets fake quantization come before up to three ops that keep the order of values.
Result<EditResult> hoistFakeQuants(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                   Findings* findings = nullptr);
// Fake quantization becomes a real one, over the trained range.
Result<EditResult> convertFakeQuants(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                     Findings* findings = nullptr);

struct QuantizeOptions {
    std::set<std::string, std::less<>> ignoredOps;
    std::optional<FixedRange> fallback;    // of results, instead of their own
    std::vector<std::string> ignoredNodes; // globs
};
// Float ops become 8-bit ones between QuantizeV2 and Dequantize.
Result<EditResult> quantizeOps(const GraphPtr& graph, const PassArgs& args,
                               const QuantizeOptions& options, const Job& job,
                               Findings* findings = nullptr);
// Instead: only Conv2D and MatMul with 8-bit weights compute in 8 bits, their sums become floats.
Result<EditResult> quantizeProducts(const GraphPtr& graph, const PassArgs& args,
                                    const QuantizeOptions& options, const Job& job,
                                    Findings* findings = nullptr);
// A Requantize to a range of the data's own, and back, and another one become the last one.
Result<EditResult> mergeRequantizes(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                    Findings* findings = nullptr);
// Lets readers of a value that is dequantized and quantized again read the one before both.
Result<EditResult> skipQuantizations(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                     Findings* findings = nullptr);
// Nodes that read the codes of a Dequantize do not wait for it.
Result<EditResult> dropWaits(const GraphPtr& graph, const Job& job, Findings* findings = nullptr);

} // namespace lapidary
