// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/sensitivity.h"

#include "transforms/accuracy/form_recipe.h"

namespace lapidary {

Result<std::vector<LayerNoise>> layerNoises(const GraphPtr& graph, const NoiseMeter& meter,
                                            const std::vector<LayerForm>& forms, const Job& job)
{
    const std::vector<Layer> layers = layersOf(*graph);
    std::vector<LayerNoise> noises;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for (const LayerForm form : forms) {
            if (job.cancelled())
                return cancelledError();
            const std::string name(graph->node(layers[i].product).name());
            ASSIGN_OR_RETURN(const GraphPtr changed, withForms(graph, {{name, form}}, job));
            if (changed == graph)
                continue;
            ASSIGN_OR_RETURN(const Noise noise, meter.of(changed, job));
            noises.push_back({layers[i], form, noise});
        }
        job.progress(double(i + 1) / double(layers.size()));
    }
    return noises;
}

} // namespace lapidary
