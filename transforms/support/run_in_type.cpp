// SPDX-License-Identifier: Apache-2.0
#include "transforms/support/run_in_type.h"

#include "graph_model/binding/node_signature.h"
#include "transforms/constants/const_node.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>

namespace lapidary {
namespace {

bool concerns(const Node& node, const TypeDetour& detour)
{
    return node.op() == detour.op && node.attr(detour.attr).asType() == detour.from;
}

// Flags the tensors of a node whose dtypes the attribute gives.
std::vector<bool> followers(const Node& node, std::span<const ArgSpec> arguments, const OpSpec& op,
                            const TypeDetour& detour)
{
    std::vector<bool> follows;
    for (const ArgSpec& argument : arguments) {
        const auto length = argumentLength(node, op, argument).value_or(0);
        for (std::int64_t i = 0; i < length && i < (1 << 16); ++i)
            follows.push_back(argument.typeAttr == detour.attr);
    }
    return follows;
}

bool isAllowed(const OpSpec& op, const TypeDetour& detour)
{
    const auto spec = std::ranges::find(op.attrs, detour.attr, &AttrSpec::name);
    if (spec == op.attrs.end() || spec->kind != "type")
        return false;
    if (spec->allowedText.empty())
        return true;
    std::string_view rest = spec->allowedText;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('|'), rest.size());
        if (parseDtype(rest.substr(0, end)) == detour.to)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

// Returns whether the argument is something that keeps values between nodes.
bool isHandle(const ArgSpec& argument)
{
    return argument.isReference || argument.dtype == DType::Resource ||
           argument.dtype == DType::Variant;
}

std::string reasonToStay(const Graph& graph, NodeId id, const TypeDetour& detour,
                         const PassArgs& args)
{
    const Node& node = graph.node(id);
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return "its op is not known";
    if (!isAllowed(*op, detour))
        return "its op is not defined for " + dtypeName(detour.to);
    if (std::ranges::any_of(op->inputs, isHandle) || std::ranges::any_of(op->outputs, isHandle))
        return "the type belongs to a variable, table, array or list that other nodes use";
    for (const std::string& input : args.inputs)
        if (nodeOfInput(input) == node.name())
            return "it is an input of the model";
    const std::size_t data = std::size_t(std::ranges::count_if(
        node.inputs(), [](const Input& input) { return !input.isControl(); }));
    return followers(node, op->inputs, *op, detour).size() == data ? "" : "it lacks an input";
}

NodeDraft castNode(std::string name, std::string from, DType source, DType result,
                   std::string_view device)
{
    NodeDraft draft = newNode(std::move(name), "Cast", {std::move(from)});
    draft.device = device;
    draft.setAttr("DstT", attr::fromType(result));
    draft.setAttr("SrcT", attr::fromType(source));
    draft.setAttr("Truncate", attr::fromBool(false));
    return draft;
}

// Makes names that no node has.
class FreshNames {
public:
    explicit FreshNames(const Graph& graph)
        : m_graph(graph)
    {
    }
    std::string of(const std::string& wanted) const
    {
        std::string name = wanted;
        for (int i = 1; m_graph.find(name).isValid(); ++i)
            name = wanted + "_" + std::to_string(i);
        return name;
    }

private:
    const Graph& m_graph;
};

void detourNode(GraphEdit& edit, const Graph& graph, NodeId id, const TypeDetour& detour)
{
    const Node& node = graph.node(id);
    const OpSpec& op = *findOp(node.op());
    const FreshNames names(graph);
    const std::string name(node.name());
    const std::string suffix = dtypeName(detour.to);
    const std::vector<bool> reads = followers(node, op.inputs, op, detour);
    const std::vector<bool> makes = followers(node, op.outputs, op, detour);
    NodeDraft draft = NodeDraft::of(node);
    draft.setAttr(detour.attr, attr::fromType(detour.to));
    for (std::size_t k = 0; k < reads.size(); ++k) {
        if (!reads[k])
            continue;
        const std::string cast = names.of(name + "/" + suffix + "_" + std::to_string(k));
        edit.addAt(id,
                   castNode(cast, std::string(node.inputs()[k].text), detour.from, detour.to,
                            node.device()),
                   {id});
        draft.inputs[k] = cast;
    }
    const bool castsBack = std::ranges::find(makes, true) != makes.end();
    if (!castsBack) {
        edit.replace(id, std::move(draft));
        return;
    }
    const std::string inner = names.of(name + "/in_" + suffix);
    draft.name = inner;
    edit.addAt(id, std::move(draft), {id});
    // The first output keeps the node's name, so nodes that wait for it need no change.
    for (std::size_t port = 1; port < makes.size(); ++port) {
        const std::string from = tensorName(inner, std::int32_t(port));
        std::string readers = from;
        if (makes[port]) {
            readers = names.of(name + "/from_" + suffix + "_" + std::to_string(port));
            edit.addAt(id, castNode(readers, from, detour.to, detour.from, node.device()), {id});
        }
        edit.redirect(tensorName(name, std::int32_t(port)), readers);
    }
    if (makes[0]) {
        edit.replace(id, castNode(name, inner, detour.to, detour.from, node.device()));
        return;
    }
    NodeDraft copy = newNode(name, "Identity", {inner});
    copy.device = node.device();
    copy.setAttr("T", attr::fromType(outputDtype(node, op, 0)));
    edit.replace(id, std::move(copy));
}

} // namespace

Result<Findings> findDetours(const Graph& graph, const TypeDetour& detour, const PassArgs& args,
                             const Job& job)
{
    Findings findings;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (concerns(graph.node(NodeId{i}), detour))
            findings.push_back({{NodeId{i}}, reasonToStay(graph, NodeId{i}, detour, args)});
    }
    return findings;
}

Result<EditResult> takeDetours(const GraphPtr& graph, const TypeDetour& detour,
                               const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto findings, findDetours(*graph, detour, args, job));
    GraphEdit edit(graph);
    for (const Finding& finding : findings)
        if (finding.why.empty())
            detourNode(edit, *graph, finding.nodes[0], detour);
    edit.countPlaces(matchesOf(findings));
    return std::move(edit).finish();
}

} // namespace lapidary
