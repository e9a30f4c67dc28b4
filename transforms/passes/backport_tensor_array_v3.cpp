// SPDX-License-Identifier: Apache-2.0
// backport_tensor_array_v3
//
// Drops identical_element_shapes, which version 2 does not have.
#include "transforms/constants/const_node.h"
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

#include <algorithm>

namespace lapidary {
namespace {

bool isArray(const Node& node)
{
    return node.op() == "TensorArrayV3" || node.op() == "TensorArrayGradV3";
}

bool isArrayUser(std::string_view op)
{
    if (!op.starts_with("TensorArray") || !op.ends_with("V3"))
        return false;
    op.remove_prefix(std::string_view("TensorArray").size());
    op.remove_suffix(2);
    return op == "Write" || op == "Read" || op == "Gather" || op == "Scatter" || op == "Concat" ||
           op == "Split" || op == "Size" || op == "Close";
}

bool isBackported(const Node& node)
{
    return isArray(node) || isArrayUser(node.op());
}

void backport(GraphEdit& edit, NodeId id, const Node& node)
{
    NodeDraft draft = NodeDraft::of(node);
    draft.op.back() = '2';
    if (!isArray(node)) {
        edit.replace(id, std::move(draft));
        return;
    }
    draft.removeAttr("identical_element_shapes");
    const std::string flow = draft.name + "/replacement_flow_node";
    edit.moveTo(id, id);
    edit.addAt(id, floatScalar(flow, 1), {id});
    edit.redirect(draft.name + ":1", flow);
    edit.replace(id, std::move(draft));
}

Result<Findings> find(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    return findNodes(graph, job, isBackported);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs&, const Job& job)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph->node(NodeId{i});
        if (!isBackported(node))
            continue;
        edit.countPlaces(1);
        backport(edit, NodeId{i}, node);
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::backportTensorArrayV3{
    .name = "backport_tensor_array_v3",
    .summary = "Turns TensorArrays of version 3 into version 2, for old runtimes.",
    .before = "array = TensorArrayV3(size)\n"
              "w = TensorArrayWriteV3(array, i, x, array:1)",
    .after = "array = TensorArrayV2(size)\n"
             "w = TensorArrayWriteV2(array, i, x, array/replacement_flow_node)",
    .differences = "identical_element_shapes, which version 2 does not have, is dropped. A name "
                   "that is taken is an error instead of a second node of that name.",
    .find = find,
    .run = run,
};

} // namespace lapidary
