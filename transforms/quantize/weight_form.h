// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/match/replacement.h"
#include "transforms/pass/parameters.h"
#include "transforms/quantize/weight_codes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

// The parameters of quantize_weights beyond the original's 8 bits for a whole tensor.
struct WeightForm {
    bool isPerChannel = false;
    CodeOptions codes;
    bool widensSmall = false; // 16 bits for weights of fewer values than `smallSize`
    std::int64_t smallSize = 0;
    std::vector<std::string> onlyNodes;    // globs: of readers; empty: all
    std::vector<std::string> ignoredNodes; // globs
    std::vector<std::string> ignoredOps;

    // Returns whether that many weights get the original's form.
    bool isOriginal(std::int64_t elements) const;
    CodeOptions codesOf(std::int64_t elements) const;
};
// Errors name the parameter.
Result<WeightForm> weightForm(const Parameters& parameters);

// Returns why the form leaves this constant in float; empty if it does not.
std::string leftInFloat(const Graph& graph, NodeId constant, const WeightForm& form);

// Replaces `constant` by nodes that compute it from codes:
//   w = Dequantize(w_quantized_const, w_quantized_min, w_quantized_max)
// or, if one layer reads it and the form is per channel,
//   w = Mul(Dequantize(...), w_scale)
// The error's message says what is wrong with the values.
Status addWeights(const Graph& graph, NodeId constant, const WeightForm& form, Replacement& parts);

// Returns the name of the node with the scales of weights: "w_scale" for "w".
std::string scaleName(std::string_view weights);

} // namespace lapidary
