// SPDX-License-Identifier: Apache-2.0
#include "app/document/base/open_shape.h"

#include "graph_model/graph/node.h"
#include "runner/feeds/feed.h"
#include "runner/setup/proposed_shape.h"

#include <utility>
#include <vector>

namespace lapidary {

OpenShape proposeShape(const Graph& graph, const std::string& tensor, const InterfaceChoice& choice,
                       const Job& job)
{
    OpenShape open{tensor, {}};
    std::vector<std::pair<Endpoint, Shape>> given;
    for (const ChosenTensor& input : choice.inputs)
        if (input.node.isValid() && input.tensor != tensor && !input.shape.unknownRank)
            given.push_back({{input.node, parseInput(input.tensor).port}, input.shape});
    const auto shape = proposedShape(graph, feedTarget(graph, tensor), given, job);
    if (shape && *shape)
        open.proposed = typedShape(**shape);
    return open;
}

} // namespace lapidary
