// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/share_times.h"

#include "graph_model/base/clamped_cast.h"

#include <map>
#include <numeric>

namespace lapidary {
namespace {

using FusionOf = std::map<NodeId, const Fusion*>; // key: the last member

void tellMembers(const Fusion& fusion, const Graph& graph, const NodeRun& run,
                 std::span<const Value> outputs, const ObserveNode& observe)
{
    const double all = std::accumulate(fusion.weights.begin(), fusion.weights.end(), 0.0);
    double done = 0;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < fusion.members.size(); ++i) {
        const bool isLast = i + 1 == fusion.members.size();
        done += fusion.weights[i];
        const std::int64_t end =
            isLast ? run.nanoseconds
                   : clampedTo<std::int64_t>(double(run.nanoseconds) * (done / all));
        NodeRun part = run;
        part.node = fusion.members[i];
        part.definition = &graph.node(part.node);
        part.startNanoseconds = run.startNanoseconds + begin;
        part.nanoseconds = end - begin;
        part.outputBytes = isLast ? run.outputBytes : 0;
        begin = end;
        observe(part, isLast ? outputs : std::span<const Value>());
    }
}

} // namespace

ObserveNode shareTimes(const std::shared_ptr<const FusedGraph>& fused, const ObserveNode& observe)
{
    if (!observe || fused->fusions.empty())
        return observe;
    auto byLast = std::make_shared<FusionOf>();
    for (const Fusion& fusion : fused->fusions)
        byLast->emplace(fusion.members.back(), &fusion);
    return [fused, byLast, observe](const NodeRun& run, std::span<const Value> outputs) {
        const auto found = byLast->find(run.node);
        if (found == byLast->end() || !run.function.empty())
            observe(run, outputs);
        else
            tellMembers(*found->second, *fused->original, run, outputs, observe);
    };
}

} // namespace lapidary
