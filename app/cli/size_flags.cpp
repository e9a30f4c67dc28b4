// SPDX-License-Identifier: Apache-2.0
#include "app/cli/size_flags.h"

#include "graph_model/interface/interface_flags.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/proposed_shape.h"
#include "transforms/recipe/repro_script.h"

#include <algorithm>
#include <sstream>

namespace lapidary {
namespace {

// Tells whether sizes must be given. An unknown first size is taken as a batch of 1.
bool needsSizes(const Shape& shape)
{
    return shape.unknownRank ||
           std::any_of(shape.dims.begin() + (shape.dims.empty() ? 0 : 1), shape.dims.end(),
                       [](std::int64_t size) { return size < 0; });
}

} // namespace

Result<std::string> sizeFlags(const Graph& graph, const std::vector<FeedTarget>& inputs,
                              const Job& job)
{
    std::vector<std::pair<Endpoint, Shape>> given;
    std::string flags;
    for (const FeedTarget& input : inputs) {
        if (!needsSizes(input.shape))
            continue;
        std::optional<Shape> shape;
        if (given.size() < mostProposals(graph)) {
            ASSIGN_OR_RETURN(shape, proposedShape(graph, input, given, job));
        }
        if (!shape)
            return Error{ErrorCode::InvalidArgument,
                         "nothing says which sizes " + input.tensor + " has",
                         ErrorReason::MissingSize, tensorAsFlag(input.tensor)};
        const Input tensor = parseInput(input.tensor);
        given.push_back({{graph.find(tensor.node), tensor.port}, *shape});
        flags += " --shape " + shellQuoted(tensorAsFlag(input.tensor) + "=" + typedShape(*shape));
    }
    return flags;
}

Error withProposedSizes(Error error, const GraphEntry& entry, const Job& job)
{
    if (error.reason != ErrorReason::MissingSize)
        return error;
    std::vector<std::pair<Endpoint, Shape>> given;
    std::string flags;
    std::istringstream tensors(error.subject);
    std::size_t left = mostProposals(*entry.graph);
    for (std::string tensor; tensors >> tensor; left -= left > 0 ? 1 : 0) {
        const FeedTarget input = feedTarget(*entry.graph, withPort(tensor));
        const auto shape = left > 0 ? proposedShape(*entry.graph, input, given, job)
                                    : Result<std::optional<Shape>>(std::nullopt);
        const bool isKnown = shape && *shape;
        const Input parsed = parseInput(input.tensor);
        if (isKnown)
            given.push_back({{entry.graph->find(parsed.node), parsed.port}, **shape});
        flags += (flags.empty() ? "" : " --shape ") + tensorAsFlag(input.tensor) + "=" +
                 (isKnown ? typedShape(**shape) : "SIZES");
    }
    error.subject =
        given.empty() ? withPort(error.subject.substr(0, error.subject.find(' '))) : flags;
    return error;
}

} // namespace lapidary
