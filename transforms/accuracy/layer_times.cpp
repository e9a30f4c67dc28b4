// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/layer_times.h"

#include "transforms/accuracy/form_recipe.h"

#include <map>
#include <string>

namespace lapidary {
namespace {

using NodeTimes = std::map<std::string, std::int64_t>;

// Returns the time of a layer's own node, and of those that quantize_nodes names after it.
std::int64_t timeOf(const NodeTimes& nodes, const std::string& layer)
{
    std::int64_t sum = 0;
    if (const auto own = nodes.find(layer); own != nodes.end())
        sum += own->second;
    for (const char* made : {"/eightbit", "/unscaled", "_eightbit/"}) {
        const std::string stem = layer + made;
        for (auto it = nodes.lower_bound(stem); it != nodes.end() && it->first.starts_with(stem);
             ++it)
            sum += it->second;
    }
    return sum;
}

} // namespace

Result<std::vector<LayerTime>> layerTimes(const GraphPtr& graph,
                                          const std::vector<NoisyLayer>& layers, GraphTimer& timer,
                                          const Job& job)
{
    NamedForms forms;
    for (const NoisyLayer& layer : layers)
        forms.emplace_back(layer.name, LayerForm::Run8);
    ASSIGN_OR_RETURN(const GraphPtr in8Bits, withForms(graph, forms, job));
    ASSIGN_OR_RETURN(const NodeTimes before, timer.nodesOf(graph, job));
    ASSIGN_OR_RETURN(const NodeTimes after, timer.nodesOf(in8Bits, job));
    std::vector<LayerTime> times;
    for (const NoisyLayer& layer : layers)
        times.push_back({timeOf(before, layer.name), timeOf(after, layer.name)});
    return times;
}

} // namespace lapidary
