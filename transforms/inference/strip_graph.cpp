// SPDX-License-Identifier: Apache-2.0
#include "transforms/inference/strip_graph.h"

#include "transforms/constants/const_node.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/edits/placeholder_node.h"
#include "transforms/pass/interface_names.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::string_view placedWith = "loc:@"; // in the list _class

Result<std::vector<NodeId>> nodesOf(const Graph& graph, const std::vector<std::string>& names,
                                    std::string_view role)
{
    std::vector<NodeId> ids;
    for (const std::string& name : names) {
        const NodeId id = graph.find(name);
        if (!id.isValid())
            return Error{ErrorCode::NotFound, "the graph has no node '" + name +
                                                  "', which is given as an " + std::string(role)};
        ids.push_back(id);
    }
    return ids;
}

std::vector<bool> neededNodes(const Graph& graph, const std::vector<NodeId>& inputs,
                              const std::vector<NodeId>& outputs)
{
    std::vector<bool> isInput(graph.size(), false);
    for (const NodeId id : inputs)
        isInput[id.value] = true;
    return reachedNodes(graph.size(), outputs, [&](NodeId id, std::vector<NodeId>& open) {
        if (isInput[id.value])
            return;
        for (const Endpoint& from : graph.inputs(id))
            if (from.node.isValid())
                open.push_back(from.node);
        for (std::string_view place : graph.node(id).attr("_class").strings()) {
            if (!place.starts_with(placedWith))
                continue;
            if (const NodeId with = graph.find(place.substr(placedWith.size())); with.isValid())
                open.push_back(with);
        }
    });
}

// Returns an error if a kept node reads another output of an input than the first: a Placeholder
// has only one.
Status checkFirstOutput(const Graph& graph, NodeId id, const std::vector<bool>& isNeeded)
{
    for (const Consumer& reader : graph.consumers(id))
        if (!reader.isControl() && reader.port > 0 && isNeeded[reader.node.value])
            return Error{ErrorCode::Unsupported,
                         std::string(graph.node(id).name()) + ": its output " +
                             std::to_string(reader.port) + " is read by " +
                             std::string(graph.node(reader.node).name()) +
                             ", and the Placeholder that it becomes has only output 0; choose its "
                             "consumer as the input"};
    return Done{};
}

Result<NodeDraft> placeholder(const Graph& graph, NodeId id, const StripRequest& request,
                              std::size_t number)
{
    const Node& node = graph.node(id);
    const DType dtype = request.types.empty()       ? dtypeOfOutput(graph, id, 0)
                        : request.types.size() == 1 ? request.types[0]
                                                    : request.types[number];
    if (dtype == DType::Invalid)
        return Error{ErrorCode::InvalidArgument,
                     std::string(node.name()) +
                         ": its type is not known; give it, as in type=float"};
    NodeDraft draft = newNode(std::string(node.name()), "Placeholder");
    copyAttr(node, "_output_shapes", draft);
    draft.setAttr("dtype", attr::fromType(dtype));
    copyAttr(node, "shape", draft);
    return draft;
}

} // namespace

Result<EditResult> stripGraph(const GraphPtr& graph, const StripRequest& request, const Job& job)
{
    ASSIGN_OR_RETURN(const auto inputs, nodesOf(*graph, request.inputs, "input"));
    ASSIGN_OR_RETURN(const auto outputs, nodesOf(*graph, request.outputs, "output"));
    if (request.types.size() > 1 && request.types.size() != inputs.size())
        return Error{ErrorCode::InvalidArgument, std::to_string(request.types.size()) +
                                                     " types are given for " +
                                                     std::to_string(inputs.size()) +
                                                     " inputs; give one for all or one for each"};
    std::vector<bool> isNeeded = neededNodes(*graph, inputs, outputs);
    if (request.keepsInputs)
        for (const NodeId id : inputs)
            isNeeded[id.value] = true;
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (!isNeeded[i])
            edit.remove(NodeId{i}, "no output needs it");
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool isFirst = std::find(inputs.begin(), inputs.begin() + std::ptrdiff_t(i),
                                       inputs[i]) == inputs.begin() + std::ptrdiff_t(i);
        if (!isNeeded[inputs[i].value] || !isFirst)
            continue;
        RETURN_IF_ERROR(checkFirstOutput(*graph, inputs[i], isNeeded));
        ASSIGN_OR_RETURN(auto draft, placeholder(*graph, inputs[i], request, i));
        edit.replace(inputs[i], std::move(draft));
    }
    return std::move(edit).finish();
}

Result<StripRequest> stripRequestOf(const PassArgs& args)
{
    StripRequest request;
    request.keepsInputs = true; // they are the model's interface
    for (const std::string& input : args.inputs)
        request.inputs.emplace_back(nodeOfInput(input));
    for (const std::string& output : args.outputs)
        request.outputs.emplace_back(nodeOfInput(output));
    for (const std::string& name : args.parameters.all("type")) {
        const auto type = parseDtype(name);
        if (!type || isReference(*type))
            return Error{ErrorCode::InvalidArgument,
                         "\"" + name + "\" is not a dtype; write float, int32, uint8..."};
        request.types.push_back(*type);
    }
    return request;
}

} // namespace lapidary
