// SPDX-License-Identifier: Apache-2.0
// strip_unused
//
// TensorFlow's Python tool of that name. Unlike strip_unused_nodes it makes a Placeholder of each
// input, whatever that was, and keeps nodes that others are placed with.
#include "transforms/inference/strip_graph.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{stripTypeParameter};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto request, stripRequestOf(args));
    return stripGraph(graph, request, job);
}

} // namespace

const Pass passes::stripUnused{
    .name = "strip_unused",
    .summary = "Makes the inputs placeholders and keeps what the outputs need of them.",
    .before = "x = Decode(file)\n"
              "y = Net(x)\n"
              "loss = Loss(y)",
    .after = "x = Placeholder()\n"
             "y = Net(x), with input x and output y",
    .declines = "Nodes that others are placed with (_class) stay.",
    .differences = "TensorFlow has no such transform, but a Python tool of that name. An input "
                   "keeps its own type if none is given; the tool makes it float.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
