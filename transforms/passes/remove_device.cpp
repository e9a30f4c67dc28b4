// SPDX-License-Identifier: Apache-2.0
// remove_device
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

bool hasDevice(const Node& node)
{
    return !node.device().empty();
}

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return findNodes(graph, job, hasDevice);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return editFields(graph, job, hasDevice, {.device = ""});
}

} // namespace

const Pass passes::removeDevice{
    .name = "remove_device",
    .summary = "Clears the device of every node.",
    .before = "conv on /gpu:0",
    .after = "conv on no device",
    .find = find,
    .run = run,
};

} // namespace lapidary
