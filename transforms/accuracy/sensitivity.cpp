// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/sensitivity.h"

#include "transforms/accuracy/form_noises.h"

namespace lapidary {

Result<std::vector<LayerNoise>> layerNoises(const GraphPtr& graph, const NoiseMeter& meter,
                                            const std::vector<LayerForm>& forms, const Job& job)
{
    const std::vector<NoisyLayer> layers = noisyLayers(*graph, forms);
    LayerMeter alone(graph, meter);
    RETURN_IF_ERROR(alone.prepare(layers, job));
    std::vector<LayerNoise> noises;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for (const FormNoise& one : layers[i].forms) {
            if (job.cancelled())
                return cancelledError();
            ASSIGN_OR_RETURN(const Noise noise, alone.of(layers[i], one.form, job));
            noises.push_back({layers[i].layer, one.form, noise});
        }
        job.progress(double(i + 1) / double(layers.size()));
    }
    return noises;
}

} // namespace lapidary
