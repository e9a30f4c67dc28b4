// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/fed_shapes.h"

#include "runner/shapes/infer_shapes.h"

#include <algorithm>

namespace lapidary {

Result<InferredShapes> fedShapes(const Graph& graph, const RunRequest& request, const Job& job)
{
    ShapeOptions options;
    for (const auto& [tensor, value] : request.feeds) {
        const Input parsed = parseInput(tensor);
        if (const NodeId id = graph.find(parsed.node); id.isValid())
            options.given.emplace_back(Endpoint{id, std::max(parsed.port, 0)},
                                       Shape{value.dims(), false});
    }
    return inferShapes(graph, options, job);
}

} // namespace lapidary
