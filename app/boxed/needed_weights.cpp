// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/needed_weights.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/graph_edit.h"
#include "graph_model/ops/op_traits.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/nodes_behind.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t smallBytes = 4096; // what rules of the fusion look into is smaller

// What the fetches and targets need, not looking behind what is fed.
std::vector<bool> neededNodes(const Graph& graph, const RunPlan& plan)
{
    std::set<std::string> fed;
    for (const RunPlan::Feed& feed : plan.feeds)
        fed.insert(withPort(feed.tensor));
    std::vector<std::string> wanted = plan.fetches;
    wanted.insert(wanted.end(), plan.targets.begin(), plan.targets.end());
    return nodesBehind(graph, wanted, fed);
}

// A constant of the same type and size, without its elements.
NodeDraft emptied(const Node& constant, const Tensor& tensor)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(std::int32_t(tensor.dtype())));
    writer.bytes(2, encodeShape(tensor.shape()));
    NodeDraft draft;
    draft.name = constant.name();
    draft.op = constant.op();
    draft.device = constant.device();
    for (const Input& input : constant.inputs())
        draft.inputs.emplace_back(input.text);
    draft.setAttr("dtype", attr::fromType(tensor.dtype()));
    draft.setAttr("value", attr::fromTensorProto(proto));
    return draft;
}

bool isSimplyLoaded(const GraphEntry& entry)
{
    const LoadingSteps& loading = entry.loading;
    return loading.initOp.empty() && loading.restoreOp.empty() && loading.assets.empty() &&
           std::ranges::none_of(entry.graph->nodes(),
                                [](const NodePtr& node) { return isStoredVariable(node->op()); });
}

} // namespace

GraphPtr withNeededWeights(const GraphEntry& entry, const RunPlan& plan)
{
    const GraphPtr& graph = entry.graph;
    if (!isSimplyLoaded(entry))
        return graph;
    const std::vector<bool> isNeeded = neededNodes(*graph, plan);
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->node(NodeId{i});
        if (isNeeded[i] || !isConstant(node.op()) ||
            node.attr("value").encoded().size() <= smallBytes)
            continue;
        if (const auto tensor = node.tensor(); tensor && dtypeSize(tensor->dtype()) > 0)
            edit.replace(NodeId{i}, emptied(node, *tensor));
    }
    const auto made = std::move(edit).finish();
    return made ? made->graph : graph;
}

} // namespace lapidary
