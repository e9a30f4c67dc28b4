#include "graph_model/interface/node_roles.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

template <std::size_t size>
bool isAmong(const std::array<std::string_view, size>& ops, std::string_view op)
{
    return std::ranges::find(ops, op) != ops.end();
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool isGradientOp(std::string_view op)
{
    return op.ends_with("Grad") || op.ends_with("GradV2") || op.ends_with("GradGrad") ||
           op.ends_with("Grads") || contains(op, "Backprop") || op == "SymbolicGradient" ||
           contains(op, "GradWith") || op == "BroadcastGradientArgs";
}

// Ops that are run for their effect, or tell about the process and not about the data.
bool isKeeperOp(std::string_view op)
{
    constexpr std::array<std::string_view, 24> exact{"NoOp",
                                                     "Assert",
                                                     "Print",
                                                     "PrintV2",
                                                     "IsVariableInitialized",
                                                     "VarIsInitializedOp",
                                                     "MakeIterator",
                                                     "DestroyResourceOp",
                                                     "ControlTrigger",
                                                     "Abort",
                                                     "ReadFile",
                                                     "WriteFile",
                                                     "MatchingFiles",
                                                     "CountUpTo",
                                                     "GlobalIterator",
                                                     "MergeV2Checkpoints",
                                                     "ShardedFilename",
                                                     "InitializeTable",
                                                     "InitializeTableV2",
                                                     "InitializeTableFromTextFile",
                                                     "InitializeTableFromTextFileV2",
                                                     "LookupTableImport",
                                                     "LookupTableImportV2",
                                                     "LookupTableExportV2"};
    return isAmong(exact, op) || op.starts_with("Save") || op.starts_with("Restore") ||
           op.starts_with("Assign") || op.starts_with("ResourceApply") || op.starts_with("Apply") ||
           op.starts_with("SparseApply") || op.starts_with("ResourceSparseApply") ||
           op.starts_with("Scatter") || op.starts_with("ResourceScatter") ||
           contains(op, "Summary") || contains(op, "Enqueue") || op.starts_with("QueueClose") ||
           op.starts_with("QueueSize") || contains(op, "Accumulator");
}

bool onlyServesKeepers(const Graph& graph, NodeId id, const NodeRoles& roles)
{
    bool hasReader = false;
    for (const Consumer& consumer : graph.consumers(id)) {
        if (consumer.isControl())
            continue;
        hasReader = true;
        if (!roles.keeper[consumer.node.value] && !roles.backward[consumer.node.value])
            return false;
    }
    return hasReader;
}

void markForward(const Graph& graph, NodeId id, NodeRoles& roles)
{
    const std::string_view op = graph.node(id).op();
    const std::size_t i = id.value;
    roles.source[i] = isPlaceholderOp(op) || isPipelineOp(op);
    roles.fed[i] = roles.source[i];
    roles.backward[i] = isGradientOp(op);
    for (const Endpoint& input : graph.inputs(id)) {
        if (!input.node.isValid() || input.isControl())
            continue;
        if (roles.fed[input.node.value])
            roles.fed[i] = true;
        if (roles.backward[input.node.value])
            roles.backward[i] = true;
    }
}

} // namespace

bool isPlaceholderOp(std::string_view op)
{
    return op.starts_with("Placeholder") || op == "_Arg" || op == "_DeviceArg" || op == "Arg";
}

bool isPipelineOp(std::string_view op)
{
    constexpr std::array<std::string_view, 9> exact{
        "IteratorGetNext",  "IteratorGetNextSync", "IteratorGetNextAsOptional",
        "ReaderRead",       "ReaderReadV2",        "ReaderReadUpTo",
        "ReaderReadUpToV2", "InfeedDequeue",       "InfeedDequeueTuple"};
    return isAmong(exact, op) || op.starts_with("QueueDequeue") || op.starts_with("_Recv");
}

bool isVariableOp(std::string_view op)
{
    constexpr std::array<std::string_view, 6> exact{"Variable",           "VariableV2",
                                                    "VarHandleOp",        "TemporaryVariable",
                                                    "AutoReloadVariable", "_VarHandlesOp"};
    return isAmong(exact, op);
}

bool isPassThroughOp(std::string_view op)
{
    constexpr std::array<std::string_view, 7> exact{
        "Identity",    "IdentityN",       "StopGradient", "CheckNumerics",
        "EnsureShape", "PreventGradient", "Snapshot"};
    return isAmong(exact, op);
}

bool isLossOp(std::string_view op)
{
    return contains(op, "CrossEntropy") || op == "L2Loss" || op == "CTCLoss" || op == "CTCLossV2" ||
           op == "NegTrain" || op == "NceLoss";
}

NodeRoles nodeRoles(const Graph& graph)
{
    NodeRoles roles;
    for (auto* flags : {&roles.source, &roles.fed, &roles.backward, &roles.keeper})
        flags->resize(graph.size());
    const std::vector<NodeId> order = topologicalOrder(graph);
    for (const NodeId id : order)
        markForward(graph, id, roles);
    for (auto id = order.rbegin(); id != order.rend(); ++id)
        roles.keeper[id->value] =
            isKeeperOp(graph.node(*id).op()) || onlyServesKeepers(graph, *id, roles);
    return roles;
}

} // namespace lapidary
