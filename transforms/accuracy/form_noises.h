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
    std::vector<float> sketch = {}; // of the differences at the outputs, where it is measured
};

struct NoisyLayer {
    Layer layer;
    std::string name; // of the product
    std::vector<FormNoise> forms;
};

// The layers of a graph whose weights are finite, with the noise of their weights in each form.
std::vector<NoisyLayer> noisyLayers(const Graph& graph, const std::vector<LayerForm>& forms);

// Measures what layers do to the outputs, with what comes before a layer computed only once.
class LayerMeter {
public:
    LayerMeter(GraphPtr graph, const NoiseMeter& meter);

    // Computes what layers read, once, where it can be kept. Error: cancelled.
    Status prepare(const std::vector<NoisyLayer>& layers, const Job& job);
    // No noise: of a form that leaves the weights as they are.
    Result<SketchedNoise> of(const NoisyLayer& layer, LayerForm form, const Job& job) const;

private:
    std::vector<std::string> settledBefore(const NoisyLayer& layer) const;

    GraphPtr m_graph;
    const NoiseMeter& m_meter;
    KnownTensors m_known;
};

// Fills in what was not measured. Noise at the outputs grows as that of the weights does, by a
// factor that is the layer's own; a layer without a measurement takes the factor that it has in
// `others`, or the usual one.
void estimateNoises(std::vector<NoisyLayer>& layers, const std::vector<NoisyLayer>& others);
// The noise of a graph in which the layers have these forms: 0 is float, 1 the first of the layer's
// forms. Differences that were measured add with their signs, what was not measured as if by
// chance.
double noiseTogether(const std::vector<NoisyLayer>& layers,
                     const std::vector<std::size_t>& choices);
// Makes what was not measured add up to the noise of a graph in which the layers have these forms.
void fitNoises(std::vector<NoisyLayer>& layers, const std::vector<std::size_t>& choices,
               double sum);

} // namespace lapidary
