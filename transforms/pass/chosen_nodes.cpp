// SPDX-License-Identifier: Apache-2.0
#include "transforms/pass/chosen_nodes.h"

#include "graph_model/base/nearest_word.h"

#include <algorithm>

namespace lapidary {
namespace {

Error missing(const std::string& what, const std::string& meant)
{
    return {ErrorCode::InvalidArgument,
            "the graph has no " + what +
                (meant.empty() ? std::string() : "; " + meant + " may be meant")};
}

Status addScope(const Graph& graph, std::string scope, std::vector<NodeId>& ids)
{
    while (scope.ends_with('/'))
        scope.pop_back();
    const std::string prefix = scope + "/";
    const std::size_t before = ids.size();
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (!scope.empty() && graph.node(NodeId{i}).name().starts_with(prefix))
            ids.push_back(NodeId{i});
    if (ids.size() == before)
        return missing("scope \"" + scope + "\"", "");
    return Done{};
}

} // namespace

Result<NodeId> namedNode(const Graph& graph, const std::string& name)
{
    if (const NodeId id = graph.find(name); id.isValid())
        return id;
    constexpr std::size_t mostNames = 20'000; // limit of names compared with the one that was given
    std::vector<std::string> names;
    for (const NodePtr& node : graph.nodes().first(std::min(graph.size(), mostNames)))
        names.emplace_back(node->name());
    return missing("node \"" + name + "\"", nearestWord(name, names));
}

Result<std::vector<NodeId>> chosenNodes(const Graph& graph, const Parameters& parameters,
                                        std::string_view pass)
{
    const std::vector<std::string> names = parameters.all("name");
    const std::vector<std::string> scopes = parameters.all("scope");
    if (names.empty() && scopes.empty())
        return Error{ErrorCode::InvalidArgument, std::string(pass) +
                                                     " needs the parameter name or scope, as in " +
                                                     std::string(pass) + "(name=conv1)"};
    std::vector<NodeId> ids;
    for (const std::string& name : names) {
        ASSIGN_OR_RETURN(const auto id, namedNode(graph, name));
        ids.push_back(id);
    }
    for (const std::string& scope : scopes)
        RETURN_IF_ERROR(addScope(graph, scope, ids));
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

Result<Findings> chosenFindings(const Graph& graph, const Parameters& parameters,
                                std::string_view pass,
                                std::string (*fault)(const Graph& graph, NodeId id))
{
    ASSIGN_OR_RETURN(const auto nodes, chosenNodes(graph, parameters, pass));
    Findings findings;
    for (const NodeId id : nodes)
        findings.push_back({{id}, fault(graph, id)});
    return findings;
}

std::string laterOutputReader(const Graph& graph, NodeId id)
{
    for (const Consumer& reader : graph.consumers(id))
        if (reader.port > 0)
            return "its output " + std::to_string(reader.port) + " is read by " +
                   std::string(graph.node(reader.node).name());
    return {};
}

Findings findingsOf(const std::vector<NodeId>& nodes)
{
    Findings findings;
    for (const NodeId id : nodes)
        findings.push_back({{id}, ""});
    return findings;
}

} // namespace lapidary
