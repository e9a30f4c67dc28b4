// SPDX-License-Identifier: Apache-2.0
// remove_device
//
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    const auto hasDevice = [](const Node& node) { return !node.device().empty(); };
    return editFields(graph, job, hasDevice, {.device = ""});
}

} // namespace

const Pass passes::removeDevice{
    .name = "remove_device",
    .summary = "Clears the device of every node.",
    .before = "conv on /gpu:0",
    .after = "conv on no device",
    .run = run,
};

} // namespace lapidary
