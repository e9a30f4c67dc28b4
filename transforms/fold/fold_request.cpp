// SPDX-License-Identifier: Apache-2.0
#include "transforms/fold/fold_request.h"

#include "runner/execute/exec_graph.h"

#include <string_view>
#include <unordered_set>

namespace lapidary {
namespace {

Result<Endpoint> endpointOf(const Graph& graph, const std::string& name, std::string_view what)
{
    const Input input = parseInput(name);
    const NodeId id = graph.find(input.node);
    const std::string where = std::string(what) + " '" + name + "': ";
    if (name.empty() || input.isControl() || !input.output.empty() || !id.isValid())
        return Error{ErrorCode::InvalidArgument, where + "the graph has no such tensor"};
    const std::uint32_t count = outputCount(graph.node(id), graph.functions());
    if (std::uint32_t(input.port) >= count)
        return Error{ErrorCode::InvalidArgument, where + std::string(input.node) +
                                                     " has no output " +
                                                     std::to_string(input.port)};
    return Endpoint{id, input.port};
}

// Returns the node of an output that is only run because it has no tensors, such as the _Retval of
// a function.
NodeId sinkOf(const Graph& graph, const std::string& name)
{
    const NodeId id = graph.find(name);
    const bool isSink = id.isValid() && outputCount(graph.node(id), graph.functions()) == 0;
    return isSink ? id : NodeId();
}

} // namespace

Result<FoldRequest> FoldRequest::make(const Graph& graph, const PassArgs& args)
{
    FoldRequest request;
    request.m_isInput.resize(graph.size(), false);
    std::unordered_set<std::string_view> given;
    for (const std::string& input : args.inputs) {
        if (!given.insert(input).second)
            return Error{ErrorCode::InvalidArgument, "input '" + input + "' is given twice"};
        ASSIGN_OR_RETURN(const auto at, endpointOf(graph, input, "input"));
        request.m_fed.emplace(at.node, at.port);
        if (!request.m_isInput[at.node.value])
            request.m_inputs.push_back(at.node);
        request.m_isInput[at.node.value] = true;
    }
    for (const std::string& output : args.outputs) {
        if (const NodeId sink = sinkOf(graph, output); sink.isValid()) {
            request.m_outputs.push_back({sink, -1});
            continue;
        }
        ASSIGN_OR_RETURN(const auto at, endpointOf(graph, output, "output"));
        request.m_outputs.push_back(at);
    }
    if (request.m_outputs.empty() && graph.size() > 0)
        return Error{ErrorCode::InvalidArgument,
                     "no outputs are given, so nothing would be left; name at least one"};
    return request;
}

bool FoldRequest::isPlaceholder(const Node& node)
{
    return node.op() == "Placeholder" || node.op() == "PlaceholderWithDefault";
}

bool FoldRequest::isFed(const Graph& graph, const Endpoint& from) const
{
    if (!from.node.isValid() || !m_isInput[from.node.value])
        return false;
    return from.isControl() ? isPlaceholder(graph.node(from.node))
                            : m_fed.contains({from.node, from.port});
}

} // namespace lapidary
