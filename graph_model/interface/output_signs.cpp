// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/output_signs.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/interface/first_readers.h"
#include "graph_model/interface/name_hints.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {

NodeId firstProducer(const Graph& graph, NodeId id)
{
    const auto inputs = id.isValid() ? graph.inputs(id) : std::span<const Endpoint>();
    return inputs.empty() ? NodeId{} : inputs[0].node;
}

namespace {

// Returns the node that computed a value which later nodes only passed on.
NodeId behindPassing(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = graph.node(id).op();
        const auto inputs = graph.inputs(id);
        if ((!isPassThrough(op) && !isEnter(op)) || inputs.empty())
            return id;
        id = inputs[0].node;
    }
    return id;
}

// Returns whether the value that a loop carries through this Switch changes by a constant in each
// iteration.
bool onlyCounts(const Graph& graph, NodeId leaving)
{
    const NodeId merge = firstProducer(graph, leaving);
    if (!merge.isValid())
        return false;
    constexpr std::size_t mostEntries = 16; // a loop has one entry and one back edge
    const auto entries = graph.inputs(merge);
    for (const Endpoint& from : entries.first(std::min(entries.size(), mostEntries))) {
        if (!from.node.isValid() || !isNextIteration(graph.node(from.node).op()))
            continue;
        const NodeId step = behindPassing(graph, firstProducer(graph, from.node));
        const std::string_view op = step.isValid() ? graph.node(step).op() : "";
        if ((!isAddition(op) && op != "Sub") || graph.inputs(step).size() < 2)
            continue;
        const NodeId a = behindPassing(graph, graph.inputs(step)[0].node);
        const NodeId b = behindPassing(graph, graph.inputs(step)[1].node);
        const auto isConst = [&](NodeId node) {
            return node.isValid() && graph.node(node).op() == "Const";
        };
        if ((a == leaving && isConst(b)) || (b == leaving && isConst(a)))
            return true;
    }
    return false;
}

// Returns whether another output of a call is used in a computation.
bool isReadElsewhere(const Graph& graph, NodeId call, std::int32_t port)
{
    return std::ranges::any_of(firstReaders(graph, call), [&](const Consumer& other) {
        const bool isCopy = isPassThrough(graph.node(other.node).op());
        return !other.isControl() && other.port != port &&
               (!isCopy || !graph.consumers(other.node).empty());
    });
}

} // namespace

bool isPickingOp(std::string_view op)
{
    return op == "ArgMax" || op.starts_with("TopK") || op == "InTopK" || op == "InTopKV2";
}

bool isReshapingOp(std::string_view op)
{
    return keepsElements(op) || convertsElements(op) || op == "Transpose" ||
           op == "SparseToDense" || op == "AsString";
}

bool neverAnOutput(std::string_view op)
{
    return op == "NoOp" || isVariableHandle(op) || isLoopCond(op) || isNextIteration(op) ||
           isEnter(op) || op.ends_with("Dataset") || op.ends_with("DatasetV2") ||
           op == "Iterator" || op == "IteratorV2" || op.ends_with("QueueV2") ||
           op.ends_with("Queue") || isTable(op);
}

// The look-up turns words into numbers, and includes the default.
bool isLookup(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    const std::string_view op = graph.node(id).op();
    if (!isSelect(op) || inputs.size() < 2 || !inputs[1].node.isValid())
        return false;
    return graph.node(inputs[1].node).op().starts_with("LookupTableFind");
}

std::int64_t weighedPorts(const Node& node)
{
    constexpr std::int64_t most = 64;
    const OpSpec* op = findOp(node.op());
    if (op == nullptr || isFunctionResult(node.op()))
        return 1;
    return std::min(outputLength(node, *op).value_or(1), most);
}

std::string_view outputName(const Node& node, std::int32_t port)
{
    const OpSpec* op = findOp(node.op());
    std::int64_t first = 0;
    for (std::size_t i = 0; op != nullptr && i < op->outputs.size(); ++i) {
        const ArgSpec& output = op->outputs[i];
        first += argumentLength(node, *op, output).value_or(1);
        if (port < first)
            return output.name;
    }
    return {};
}

// Returns whether the op passes values on: unchanged, in another form, or some of them.
bool passesValues(std::string_view op)
{
    return isPassThrough(op) || isReshapingOp(op) || op == "Gather" || op == "GatherV2";
}

// Returns whether all readers of a node's values are of a kind, directly or through ops that pass
// on the values or some of them; false without readers.
template <class Kind>
bool leadsOnlyTo(const Graph& graph, NodeId id, Kind isOfKind, int hops = 3)
{
    bool isReadByOne = false;
    for (const Consumer& reader : graph.consumers(id)) {
        if (reader.isControl())
            continue;
        const std::string_view op = graph.node(reader.node).op();
        const bool passesOn = hops > 0 && passesValues(op);
        if (!isOfKind(op) && !(passesOn && leadsOnlyTo(graph, reader.node, isOfKind, hops - 1)))
            return false;
        isReadByOne = true;
    }
    return isReadByOne;
}

bool isPickedToMeasure(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 4;
    const auto compares = [](std::string_view op) { return op == "Equal" || op == "NotEqual"; };
    if (!leadsOnlyTo(graph, id, compares))
        return false;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const Node& node = graph.node(id);
        if (outputHint(node.name()) > 0)
            return false;
        if (isPickingOp(node.op()))
            return true;
        if (!passesValues(node.op()))
            return false;
        id = firstProducer(graph, id);
    }
    return false;
}

// Returns whether a weight is multiplied by something before another layer uses it.
static bool isScaledForAnother(const Graph& graph, NodeId weights)
{
    constexpr int farEnough = 3;
    const auto computes = [&](NodeId id) {
        for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
            NodeId next;
            for (const Consumer& reader : graph.consumers(id)) {
                const std::string_view op = graph.node(reader.node).op();
                if (reader.slot == 1 && opFamily(op) == OpFamily::HeavyMaths)
                    return true;
                if (reader.slot == 0 && (isPassThrough(op) || op.starts_with("FakeQuant")))
                    next = reader.node;
            }
            id = next;
        }
        return false;
    };
    return std::ranges::any_of(graph.consumers(weights), [&](const Consumer& reader) {
        return graph.node(reader.node).op() == "Mul" && computes(reader.node);
    });
}

bool isFoldedElsewhere(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 4;
    if (!graph.consumers(id).empty())
        return false;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = graph.node(id).op();
        const auto inputs = graph.inputs(id);
        if (opFamily(op) == OpFamily::HeavyMaths)
            return inputs.size() > 1 && inputs[1].node.isValid() &&
                   isScaledForAnother(graph, inputs[1].node);
        if (!isPairwise(op) && !op.starts_with("FusedBatchNorm"))
            return false;
        id = firstProducer(graph, id);
    }
    return false;
}

bool isSparseFrame(const Node& node, std::int32_t port)
{
    const std::string_view name = outputName(node, port);
    return name.ends_with("_indices") || name.ends_with("_shape") || name.ends_with("_shapes");
}

// Side outputs are the mean and the variance of a batch, or values that a call keeps for gradients.
bool joinsSideOutputs(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    const Endpoint from = inputs.empty() ? Endpoint() : inputs[0];
    if (from.node.isValid() && from.port > 0 && isPassThrough(graph.node(id).op()) &&
        callKind(graph.node(from.node).op()) == CallKind::Branch)
        return isReadElsewhere(graph, from.node, from.port);
    return isMerge(graph.node(id).op()) && std::ranges::all_of(inputs, [&](const Endpoint& branch) {
               if (branch.isControl())
                   return true;
               const auto isResult = [](const Consumer& other) { return other.port == 0; };
               return branch.node.isValid() && branch.port > 0 &&
                      !isSwitch(graph.node(branch.node).op()) &&
                      std::ranges::any_of(firstReaders(graph, branch.node), isResult);
           });
}

// A signal comes from a Switch of its own condition, or from a merge of such signals of both
// branches, as at the end of an assertion.
bool isBranchSignal(const Graph& graph, NodeId id)
{
    const auto isSignal = [&](NodeId source) {
        const auto switched = source.isValid() ? graph.inputs(source) : std::span<const Endpoint>();
        return switched.size() >= 2 && isSwitch(graph.node(source).op()) &&
               switched[0].node == switched[1].node;
    };
    const auto inputs = graph.inputs(id);
    if (inputs.empty())
        return false;
    if (isMerge(graph.node(id).op()))
        return std::ranges::all_of(inputs, [&](const Endpoint& branch) {
            return branch.port < 0 || isSignal(behindPassing(graph, branch.node));
        });
    return isPassThrough(graph.node(id).op()) && isSignal(behindPassing(graph, id));
}

// The count is a result if the loop does nothing else.
bool isLoopCounter(const Graph& graph, NodeId id)
{
    const NodeId leaving = firstProducer(graph, id);
    if (!isExit(graph.node(id).op()) || !onlyCounts(graph, leaving))
        return false;
    const auto switched = graph.inputs(leaving);
    if (switched.size() < 2 || !switched[1].node.isValid())
        return false;
    return std::ranges::any_of(firstReaders(graph, switched[1].node), [&](const Consumer& other) {
        return !other.isControl() && isSwitch(graph.node(other.node).op()) &&
               !onlyCounts(graph, other.node);
    });
}

bool readsVariable(const Graph& graph, NodeId id)
{
    const NodeId made = behindPassing(graph, id);
    const std::string_view op = made.isValid() ? graph.node(made).op() : std::string_view();
    return isVariableRead(op) || (made != id && isVariable(op));
}

} // namespace lapidary
