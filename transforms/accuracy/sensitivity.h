// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/layer_form.h"
#include "transforms/accuracy/noise_meter.h"

#include <vector>

namespace lapidary {

// Describes what one layer costs when it alone is stored in a form.
struct LayerNoise {
    Layer layer;
    LayerForm form = LayerForm::Float;
    Noise noise;
};

// Every layer in each of the forms but Float, in execution order, forms within layers. Layers whose
// weights hold NaN or infinity are left out. Takes layers * forms runs of all probes.
Result<std::vector<LayerNoise>> layerNoises(const GraphPtr& graph, const NoiseMeter& meter,
                                            const std::vector<LayerForm>& forms, const Job& job);

} // namespace lapidary
