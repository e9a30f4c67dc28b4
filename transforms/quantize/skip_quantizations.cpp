// SPDX-License-Identifier: Apache-2.0
//   before:  z = f(QuantizeV2(d, Min(d), Max(d))), d = Dequantize(codes, min, max)
//   after:   z = f(codes, min, max)
//
// The nodes between are kept: the Min and Max of d still read it. strip_unused_nodes removes them.
#include "transforms/match/pattern.h"
#include "transforms/quantize/quantize_steps.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

NodeId firstProducer(const Graph& graph, NodeId id)
{
    for (const Endpoint& from : graph.inputs(id))
        if (!from.isControl())
            return from.node;
    return {};
}

// Returns whether a Min or Max reads all values of `tensor`, directly or through a Reshape.
bool isRangeOf(const Graph& graph, NodeId range, NodeId tensor)
{
    NodeId from = firstProducer(graph, range);
    if (from.isValid() && from != tensor && graph.node(from).op() == "Reshape")
        from = firstProducer(graph, from);
    return from == tensor;
}

std::string skipFault(const Graph& graph, const Match& match)
{
    const Node& pack = graph.node(match.node);
    const Node& unpack = graph.node(match.input(0).node);
    if (pack.attr("T").asType() != DType::QUInt8 || unpack.attr("T").asType() != DType::QUInt8)
        return "the codes are not of 8 bits";
    if (pack.attr("mode").asString().value_or("MIN_COMBINED") == "SCALED" ||
        unpack.attr("mode").asString().value_or("MIN_COMBINED") == "SCALED")
        return "the modes differ";
    for (const std::size_t i : {std::size_t(1), std::size_t(2)})
        if (!isRangeOf(graph, match.input(i).node, match.input(0).node))
            return "the range is that of another tensor";
    return "";
}

} // namespace

Result<EditResult> skipQuantizations(const GraphPtr& graph, const PassArgs&, const Job& job,
                                     Findings* findings)
{
    ASSIGN_OR_RETURN(
        const auto matches,
        findMatches(*graph, {"QuantizeV2", {{"Dequantize", {}}, {"Min", {}}, {"Max", {}}}}, job));
    GraphEdit edit(graph);
    for (const Match& match : matches) {
        const std::string why = skipFault(*graph, match);
        if (findings != nullptr)
            findings->push_back({matchedNodes(match), why});
        if (!why.empty())
            continue;
        edit.countPlaces(1);
        const std::string name(graph->node(match.node).name());
        std::size_t port = 0;
        for (const Input& input : graph->node(match.input(0).node).inputs())
            if (!input.isControl())
                edit.redirect(tensorName(name, port++), input.text);
    }
    return std::move(edit).finish();
}

} // namespace lapidary
