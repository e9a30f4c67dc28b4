// SPDX-License-Identifier: Apache-2.0
// backport_tensor_array_v3
//
// Drops identical_element_shapes, which version 2 does not have. The handle of version 2 is a
// string, which Enter, Switch and similar nodes then pass on.
#include "graph_model/ops/op_traits.h"
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

bool handsOnResource(const Node& node)
{
    const bool handsOn = copiesInput(node.op()) || isEnter(node.op()) || isExit(node.op()) ||
                         isNextIteration(node.op()) || isSwitch(node.op()) || isMerge(node.op());
    return handsOn && node.attr("T").asType() == DType::Resource;
}

// Returns the nodes through which handles of arrays reach the nodes that use them.
std::vector<NodeId> carriersOfHandles(const Graph& graph)
{
    std::vector<NodeId> carriers;
    std::vector<bool> isSeen(graph.size(), false);
    const auto follow = [&](NodeId from) {
        for (const Consumer& consumer : graph.consumers(from)) {
            const NodeId id = consumer.node;
            const bool isHandle = !consumer.isControl() && !isBackported(graph.node(id));
            if (!isHandle || isSeen[id.value] || !handsOnResource(graph.node(id)))
                continue;
            isSeen[id.value] = true;
            carriers.push_back(id);
        }
    };
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (isArray(graph.node(NodeId{i})))
            follow(NodeId{i});
    std::size_t next = 0;
    while (next < carriers.size())
        follow(carriers[next++]);
    return carriers;
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
    for (const NodeId id : carriersOfHandles(*graph)) {
        NodeDraft draft = NodeDraft::of(graph->node(id));
        draft.setAttr("T", attr::fromType(DType::String));
        edit.replace(id, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::backportTensorArrayV3{
    .name = "backport_tensor_array_v3",
    .summary = "Converts TensorArray ops from version 3 to version 2, for old runtimes.",
    .before = "array = TensorArrayV3(size)\n"
              "w = TensorArrayWriteV3(array, i, x, array:1)",
    .after = "array = TensorArrayV2(size)\n"
             "w = TensorArrayWriteV2(array, i, x, array/replacement_flow_node)",
    .differences = "identical_element_shapes, which version 2 does not have, is dropped. A name "
                   "that is taken is an error instead of a second node of that name. Nodes that "
                   "hand a handle on, as loops do, take a string like version 2; the original "
                   "leaves them a resource, and no runtime loads that.",
    .find = find,
    .run = run,
};

} // namespace lapidary
