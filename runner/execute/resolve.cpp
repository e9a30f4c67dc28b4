// SPDX-License-Identifier: Apache-2.0
// Resolves the names of a request to nodes and ports of the graph.
#include "graph_model/base/nearest_word.h"
#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "runner/execute/exec_graph.h"
#include "runner/execute/function_signature.h"
#include "runner/kernels/quantized/fused_codes.h"
#include "runner/kernels/quantized/fused_reals.h"

#include <algorithm>

namespace lapidary {
namespace {

Error unresolved(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

// Returns "; NODE may be meant" if there is one with a similar name.
std::string suggestion(const Graph& graph, std::string_view name)
{
    constexpr std::size_t mostNames = 20'000; // limit of names compared with the one that was given
    std::vector<std::string> names;
    for (const NodePtr& node : graph.nodes().first(std::min(graph.size(), mostNames)))
        names.emplace_back(node->name());
    const std::string nearest = nearestWord(std::string(name), names);
    return nearest.empty() ? "" : "; " + nearest + " may be meant";
}

// Returns whether the number of outputs is known. It is not for an unknown op, whose error is the
// missing kernel.
bool hasKnownOutputs(const Node& node, const FunctionLibrary* library)
{
    const bool isFunction = library != nullptr && library->find(node.op()) != nullptr;
    return isFunction || findOp(node.op()) != nullptr || findKernel(node.op()) != nullptr;
}

Result<Endpoint> endpoint(const Graph& graph, const FunctionLibrary* library,
                          const std::string& name, std::string_view what)
{
    const Input input = parseInput(name);
    const NodeId id = graph.find(input.node);
    if (!id.isValid() || input.isControl() || !input.output.empty())
        return unresolved(std::string(what) + " '" + name + "': the graph has no such tensor" +
                          (id.isValid() ? "" : suggestion(graph, input.node)));
    const Node& node = graph.node(id);
    if (hasKnownOutputs(node, library) && std::uint32_t(input.port) >= outputCount(node, library))
        return unresolved(std::string(what) + " '" + name + "': node " + std::string(input.node) +
                          " has no output " + std::to_string(input.port));
    return Endpoint{id, input.port};
}

// An operator of another format lists the types of its outputs.
std::uint32_t namedOutputs(const Node& node)
{
    return std::uint32_t(std::max<std::size_t>(1, node.attr("_output_types").types().size()));
}

} // namespace

std::uint32_t outputCount(const Node& node, const FunctionLibrary* library)
{
    constexpr std::int64_t most = 1 << 20;
    std::int64_t count = 0;
    if (library != nullptr) {
        if (const FunctionPtr function = library->find(node.op())) {
            for (const ArgumentSpec& result : resultsOf(*function))
                count += std::min(tensorCount(node, result), most);
            return std::uint32_t(std::clamp<std::int64_t>(count, 0, most));
        }
    }
    const OpSpec* spec = findOp(node.op());
    if (spec == nullptr)
        return node.op() == fusedRealsOp                                ? fusedRealsOutputs
               : node.op() == fusedCodesOp || node.op() == fusedRangeOp ? fusedCodesOutputs
                                                                        : namedOutputs(node);
    for (const ArgSpec& output : spec->outputs) {
        if (!output.typeListAttr.empty())
            count += std::int64_t(node.attr(output.typeListAttr).types().size());
        else if (!output.numberAttr.empty())
            count +=
                std::clamp<std::int64_t>(node.attr(output.numberAttr).asInt().value_or(0), 0, most);
        else
            ++count;
    }
    return std::uint32_t(std::clamp<std::int64_t>(count, 0, most));
}

Result<CompileRequest> resolve(const Graph& graph, const FunctionLibrary* library,
                               const RunRequest& request)
{
    CompileRequest resolved;
    if (request.fetches.empty() && request.targets.empty())
        return unresolved("nothing is asked for: name a tensor to fetch or a node to run");
    for (const auto& [name, value] : request.feeds) {
        ASSIGN_OR_RETURN(const auto at, endpoint(graph, library, name, "feed"));
        resolved.feeds.push_back(at);
    }
    for (const std::string& name : request.fetches) {
        ASSIGN_OR_RETURN(const auto at, endpoint(graph, library, name, "fetch"));
        resolved.fetches.push_back(at);
    }
    for (const std::string& name : request.targets) {
        const NodeId id = graph.find(name);
        if (!id.isValid())
            return unresolved("target '" + name + "': the graph has no such node");
        resolved.targets.push_back(id);
    }
    return resolved;
}

} // namespace lapidary
