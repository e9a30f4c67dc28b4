// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/roofline.h"

#include "runner/cost/graph_cost.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr double nanosecondsInSecond = 1e9;

// Returns the bytes of the tensor in one execution; 0 if unknown.
double bytesOf(Endpoint tensor, const ProfileSums& sums, const InferredShapes* shapes)
{
    const TensorLabel* label = shapes != nullptr ? shapes->find(tensor) : nullptr;
    const auto row = sums.rowOf(tensor.node);
    const bool isOnly = shapes == nullptr || shapes->outputCount(tensor.node) == 1;
    if (row && isOnly) {
        const ProfiledNode& maker = sums.profile().nodes[*row];
        if (maker.bytes > 0)
            return double(maker.bytes) / double(std::max<std::int64_t>(maker.calls, 1));
    }
    return label != nullptr ? double(tensorBytes(*label)) : 0;
}

} // namespace

std::vector<RooflinePoint> rooflinePoints(const ProfileSums& sums, const Graph& graph,
                                          const InferredShapes* shapes)
{
    std::vector<RooflinePoint> points;
    const NodeProfile& profile = sums.profile();
    const double runs = double(std::max<std::int64_t>(profile.runs, 1));
    for (std::size_t row = 0; row < profile.nodes.size(); ++row) {
        const ProfiledNode& node = profile.nodes[row];
        const NodeId id = sums.nodeOf(row);
        if (!id.isValid() || node.flops.value_or(0) <= 0 || node.nanoseconds <= 0)
            continue;
        const double calls = double(std::max<std::int64_t>(node.calls, 1));
        double read = 0;
        bool isKnown = true;
        for (const Endpoint& from : graph.inputs(id)) {
            const double bytes = bytesOf(from, sums, shapes);
            isKnown = isKnown && bytes > 0;
            read += bytes;
        }
        const double bytes = read * calls + double(node.bytes);
        if (!isKnown || !(bytes > 0))
            continue;
        const double flops = double(*node.flops) * calls;
        const double seconds = double(node.nanoseconds) / runs / nanosecondsInSecond;
        points.push_back({row, bytes, flops / bytes, flops / seconds});
    }
    return points;
}

} // namespace lapidary
