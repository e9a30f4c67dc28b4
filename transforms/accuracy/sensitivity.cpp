// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/sensitivity.h"

#include "transforms/accuracy/accuracy_base.h"
#include "transforms/accuracy/form_noises.h"
#include "transforms/accuracy/form_recipe.h"
#include "transforms/accuracy/kept_layers.h"

#include <algorithm>
#include <functional>
#include <numeric>

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
            ASSIGN_OR_RETURN(const SketchedNoise found, alone.of(layers[i], one.form, job));
            noises.push_back({layers[i].layer, one.form, found.noise});
        }
        job.progress(double(i + 1) / double(layers.size()));
    }
    return noises;
}

double Sensitivity::shareOf(const SensitiveLayer& layer) const
{
    double sum = 0;
    for (const SensitiveLayer& one : layers)
        sum += one.noise.ratio;
    return sum > 0 ? layer.noise.ratio / sum : 0;
}

Result<Sensitivity> measureSensitivity(const GraphEntry& entry, const std::filesystem::path& path,
                                       const SensitivityTask& task, const Job& job)
{
    ASSIGN_OR_RETURN(const AccuracyBase base, accuracyBase(entry, task.inputs, task.outputs, job));
    GraphEntry folded = entry;
    folded.graph = base.graph;
    ASSIGN_OR_RETURN(const NoiseMeter meter,
                     NoiseMeter::make(folded, path,
                                      measuredTensors(*base.graph, base.fitted.outputs),
                                      task.probes, job));
    ASSIGN_OR_RETURN(const auto noises, layerNoises(base.graph, meter, {task.form}, job));
    Sensitivity found{task.form, {}, {}, meter.probes()};
    NamedForms forms;
    for (const LayerNoise& one : noises) {
        const Node& product = base.graph->node(one.layer.product);
        found.layers.push_back({std::string(product.name()),
                                originalName(*entry.graph, *base.graph, one.layer),
                                std::string(product.op()), one.noise});
        forms.emplace_back(product.name(), task.form);
    }
    ASSIGN_OR_RETURN(const GraphPtr all, withForms(base.graph, forms, job));
    ASSIGN_OR_RETURN(found.all, meter.of(all, job));
    return found;
}

std::vector<std::size_t> worstFirst(const Sensitivity& found)
{
    std::vector<std::size_t> order(found.layers.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return found.layers[i].noise.ratio; });
    return order;
}

} // namespace lapidary
