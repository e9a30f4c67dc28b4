// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/measuring_plan.h"

#include "runner/setup/estimate_cost.h"
#include "transforms/constants/const_node.h"
#include "transforms/layers/layer.h"

#include <limits>

namespace lapidary {
namespace {

double weightBytes(const Graph& graph, const std::vector<Layer>& layers)
{
    double bytes = 0;
    for (const Layer& layer : layers) {
        double values = sizeof(float);
        for (const std::int64_t dim : constDims(graph.node(layer.weights)))
            values *= double(dim);
        bytes += values;
    }
    return bytes;
}

// Measuring a layer runs the nodes after it, on average half of the network, after its weights were
// packed for the kernels.
struct MeasuringCost {
    double probe = 0; // seconds
    double start = 0;

    double of(std::size_t probes) const { return double(probes) * probe + start; }
};

} // namespace

MeasuringPlan measuringPlan(const Graph& graph, const AutopilotOptions& options, const Job& job)
{
    constexpr double operations = 50e9; // operations per second of two cores
    constexpr double bytes = 1e9;
    constexpr double share = 0.4; // of the time; the rest is for files
    constexpr std::size_t fewest = 2;
    MeasuringPlan plan{options.probes.count, std::numeric_limits<std::size_t>::max()};
    const auto shapes = inferShapes(graph, {}, job);
    const auto cost =
        shapes ? proposedCost(graph, *shapes, job) : Result<GraphCost>(shapes.error());
    if (!cost)
        return plan;
    const std::vector<Layer> layers = layersOf(graph);
    const MeasuringCost one{double(cost->flops) / operations / 2,
                            weightBytes(graph, layers) / bytes / 2};
    const double seconds = share * options.seconds;
    while (options.mayUseFewerProbes && plan.probes > fewest &&
           double(layers.size()) * one.of(plan.probes) > seconds)
        plan.probes /= 2;
    const double most = one.of(plan.probes) > 0 ? seconds / one.of(plan.probes) : seconds * 1e9;
    if (most < double(plan.measurements))
        plan.measurements = std::size_t(most);
    return plan;
}

} // namespace lapidary
