// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/layer_form.h"
#include "transforms/accuracy/noise_meter.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lapidary {

// The noise at the outputs when one layer alone has some form.
struct FormNoise {
    LayerForm form = LayerForm::Float;
    double noise = 0;
    double ofWeights = 0; // the error of the weights over the weights themselves
    bool isMeasured = false;
    std::vector<float> sketch = {}; // of the differences at the outputs, if it is measured
};

struct NoisyLayer {
    Layer layer;
    std::string name; // of the product
    std::vector<FormNoise> forms;
};

// Returns the layers of a graph whose weights are finite, with the noise of their weights in each
// form.
std::vector<NoisyLayer> noisyLayers(const Graph& graph, const std::vector<LayerForm>& forms);

// Measures the noise that forms of layers make at the outputs. The part before a layer is computed
// only once.
class LayerMeter {
public:
    LayerMeter(GraphPtr graph, const NoiseMeter& meter);

    // Computes the inputs of the layers in advance, as far as they can be kept. Error: cancelled.
    Status prepare(const std::vector<NoisyLayer>& layers, const Job& job);
    // Returns no noise for a form that leaves the weights as they are.
    Result<SketchedNoise> of(const NoisyLayer& layer, LayerForm form, const Job& job) const;

private:
    std::vector<std::string> settledBefore(const NoisyLayer& layer) const;

    GraphPtr m_graph;
    const NoiseMeter& m_meter;
    KnownTensors m_known;
};

// Estimates the noises that were not measured. Noise at the outputs is proportional to that of the
// weights, with a factor for each layer; a layer without a measurement takes the factor that it has
// in `others`, or the usual one.
void estimateNoises(std::vector<NoisyLayer>& layers, const std::vector<NoisyLayer>& others);
// Returns the noise of a graph in which the layers have these forms: 0 is float, 1 the first of the
// layer's forms. Measured differences add with their signs, noises that were not measured as if
// they were independent.
double noiseTogether(const std::vector<NoisyLayer>& layers,
                     const std::vector<std::size_t>& choices);
// Scales the noises that were not measured so that those of these forms add up to `sum`.
void fitNoises(std::vector<NoisyLayer>& layers, const std::vector<std::size_t>& choices,
               double sum);

} // namespace lapidary
