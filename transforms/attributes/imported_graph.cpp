// SPDX-License-Identifier: Apache-2.0
#include "transforms/attributes/imported_graph.h"

#include "graph_model/base/wire.h"
#include "graph_model/check/check_graph.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/attributes/default_attributes.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::string_view placedWith = "loc:@"; // in the list _class
constexpr std::uint32_t listField = 1;           // AttrValue.list
constexpr std::uint32_t stringsField = 2;        // ListValue.s
constexpr std::uint32_t shapesField = 7;         // ListValue.shape

std::string inScope(std::string_view scope, std::string_view input)
{
    const bool isControl = input.starts_with('^');
    return (isControl ? "^" : "") + std::string(scope) + "/" +
           std::string(input.substr(isControl ? 1 : 0));
}

std::string encodedList(const std::string& items)
{
    std::string value;
    WireWriter(value).bytes(listField, items);
    return value;
}

std::string placementIn(std::string_view scope, const AttrValue& value)
{
    std::string items;
    for (const std::string_view place : value.strings())
        WireWriter(items).bytes(stringsField,
                                place.starts_with(placedWith)
                                    ? std::string(placedWith) +
                                          inScope(scope, place.substr(placedWith.size()))
                                    : std::string(place));
    return encodedList(items);
}

std::string outputShapes(const InferredShapes& shapes, NodeId id)
{
    std::string items;
    for (std::size_t port = 0; port < shapes.outputCount(id); ++port) {
        const TensorLabel* label = shapes.find({id, std::int32_t(port)});
        WireWriter(items).bytes(shapesField,
                                encodeShape(label == nullptr ? Shape{{}, true} : label->shape));
    }
    return encodedList(items);
}

Result<NodeDraft> importedNode(const Graph& graph, NodeId id, std::string_view scope,
                               const InferredShapes& shapes)
{
    const Node& node = graph.node(id);
    NodeDraft draft = NodeDraft::of(node);
    draft.name = inScope(scope, node.name());
    for (std::string& input : draft.inputs)
        input = inScope(scope, input);
    const auto missing = missingDefaults(graph, node);
    if (!missing)
        return missing.error().within(node.name());
    for (const auto& [name, value] : *missing)
        draft.setAttr(name, value);
    if (node.hasAttr("_class"))
        draft.setAttr("_class", placementIn(scope, node.attr("_class")));
    if (shapes.outputCount(id) > 0)
        draft.setAttr("_output_shapes", outputShapes(shapes, id));
    return draft;
}

} // namespace

Result<GraphPtr> importedGraph(const GraphPtr& graph, std::string_view scope, const Job& job)
{
    const Problems problems = checkGraph(*graph, job);
    if (job.cancelled())
        return cancelledError();
    const auto fault = std::ranges::find(problems, Severity::Error, &Problem::severity);
    if (fault != problems.end())
        return Error{ErrorCode::InvalidArgument,
                     (fault->node.empty() ? "" : "Node '" + fault->node + "': ") + fault->message};
    ASSIGN_OR_RETURN(const auto shapes, inferShapes(*graph, {}, job));
    Graph::Parts parts;
    parts.versions = graph->versions();
    parts.functions = graph->sharedFunctions();
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        ASSIGN_OR_RETURN(const auto draft, importedNode(*graph, NodeId{i}, scope, shapes));
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

} // namespace lapidary
