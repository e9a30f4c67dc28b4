// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/layer_form.h"
#include "transforms/accuracy/noise_meter.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// The cost of storing one layer alone in a form.
struct LayerNoise {
    Layer layer;
    LayerForm form = LayerForm::Float;
    Noise noise;
};

// Measures every layer in each of the forms except Float, in execution order, forms within layers.
// Layers whose weights hold NaN or infinity are left out. Takes layers * forms runs of all probes.
Result<std::vector<LayerNoise>> layerNoises(const GraphPtr& graph, const NoiseMeter& meter,
                                            const std::vector<LayerForm>& forms, const Job& job);

// The noise of one layer in some form.
struct SensitiveLayer {
    std::string name;     // in the graph with folded normalizations
    std::string original; // in the model
    std::string op;
    Noise noise; // when it alone has the form
};
struct Sensitivity {
    LayerForm form = LayerForm::Tensor8;
    std::vector<SensitiveLayer> layers; // in execution order
    Noise all;                          // when every layer has it
    std::size_t probes = 0;

    double shareOf(const SensitiveLayer& layer) const; // of the sum of all noises; 0: there is none
};
// The measurement to make.
struct SensitivityTask {
    std::vector<std::string> inputs; // empty: the likely ones
    std::vector<std::string> outputs;
    LayerForm form = LayerForm::Tensor8;
    ProbePlan probes;
};
// Runs a graph that was read from `path`. Errors: those of accuracyBase() and NoiseMeter::make().
Result<Sensitivity> measureSensitivity(const GraphEntry& entry, const std::filesystem::path& path,
                                       const SensitivityTask& task, const Job& job);
// Returns the indices of the layers, the largest noise first; layers with equal noise are in
// execution order.
std::vector<std::size_t> worstFirst(const Sensitivity& found);

} // namespace lapidary
