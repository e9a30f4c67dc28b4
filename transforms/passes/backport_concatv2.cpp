// SPDX-License-Identifier: Apache-2.0
// backport_concatv2
//
// Declines an axis of type int64, which Concat does not have. Control inputs stay at the end.
#include "transforms/match/replacement.h"
#include "transforms/passes/passes.h"

#include <algorithm>

namespace lapidary {
namespace {

Rewritten rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    const Node& node = graph.node(match.node);
    if (node.attr("Tidx").asType() == DType::Int64)
        return Declined{"its axis is int64, and Concat has only int32"};
    NodeDraft draft = NodeDraft::of(node);
    const auto firstControl = std::ranges::find_if(
        draft.inputs, [](const std::string& text) { return text.starts_with('^'); });
    if (firstControl == draft.inputs.begin())
        return Declined{"it has no inputs"};
    std::rotate(draft.inputs.begin(), firstControl - 1, firstControl);
    draft.op = "Concat";
    draft.removeAttr("Tidx");
    parts.change(match.node, std::move(draft));
    return Done{};
}

ReplaceOptions options()
{
    return {{"ConcatV2", {}}, rewrite, "replaced by Concat", true};
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return findReplacements(graph, args, options(), job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return replaceMatches(graph, args, options(), job);
}

} // namespace

const Pass passes::backportConcatv2{
    .name = "backport_concatv2",
    .summary = "Converts ConcatV2 to the older Concat, which takes the axis first.",
    .before = "y = ConcatV2(a, b, axis)",
    .after = "y = Concat(axis, a, b)",
    .declines = "An axis of type int64, which Concat does not have, and nodes without inputs.",
    .differences = "Control inputs stay after the data inputs. An int64 axis is left alone.",
    .find = find,
    .run = run,
};

} // namespace lapidary
