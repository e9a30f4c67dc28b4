// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"

namespace lapidary {

// Rounded weights shift the mean of a layer's outputs; its bias can compensate for that.
enum class BiasCorrection {
    None,
    Analytic,  // by the statistics of folded batch normalizations
    Empirical, // by the means measured on samples
};
// Reads the parameters of quantize_weights; errors name the parameter.
Result<BiasCorrection> biasCorrection(const Parameters& parameters);

// Corrects the biases of the layers whose weights are codes in `quantized`, which is the same graph
// with the same names. `args` has the samples for the empirical correction. With `findings`,
// nothing is changed and they are filled; no sample is run then.
Result<EditResult> correctBiases(const GraphPtr& graph, const GraphPtr& quantized,
                                 BiasCorrection how, const PassArgs& args, const Job& job,
                                 Findings* findings);

} // namespace lapidary
