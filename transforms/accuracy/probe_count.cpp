// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/probe_count.h"

#include "runner/setup/estimate_cost.h"
#include "transforms/layers/layer.h"

namespace lapidary {

std::size_t affordableProbes(const Graph& graph, const AutopilotOptions& options, const Job& job)
{
    constexpr double operations = 50e9; // a second, of two cores
    constexpr double share = 0.4;       // of the time, for measuring each layer in one form
    constexpr std::size_t fewest = 2;
    std::size_t count = options.probes.count;
    if (!options.mayUseFewerProbes)
        return count;
    const auto shapes = inferShapes(graph, {}, job);
    const auto cost =
        shapes ? proposedCost(graph, *shapes, job) : Result<GraphCost>(shapes.error());
    if (!cost)
        return count;
    // Half of the network lies behind a layer in the mean.
    const double sweep = double(cost->flops) * double(layersOf(graph).size()) / 2;
    while (count > fewest && double(count) * sweep > share * options.seconds * operations)
        count /= 2;
    return count;
}

} // namespace lapidary
