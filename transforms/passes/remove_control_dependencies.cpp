// SPDX-License-Identifier: Apache-2.0
// remove_control_dependencies
//
// Also drops edges that order stateful ops: meant for graphs that only compute.
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

#include <algorithm>

namespace lapidary {
namespace {

bool hasControls(const Node& node)
{
    return std::ranges::any_of(node.inputs(), &Input::isControl);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return findNodes(graph, job, hasControls);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return editNodes(graph, job, hasControls, [](const Node&, NodeDraft& draft) -> Status {
        std::erase_if(draft.inputs, [](const std::string& text) { return text.starts_with('^'); });
        return Done{};
    });
}

} // namespace

const Pass passes::removeControlDependencies{
    .name = "remove_control_dependencies",
    .summary = "Removes all control inputs.",
    .before = "y = Relu(x, ^init)",
    .after = "y = Relu(x)",
    .differences = "Edges that order stateful ops go too, as in the original.",
    .find = find,
    .run = run,
};

} // namespace lapidary
