// SPDX-License-Identifier: Apache-2.0
// merge_transposes
//
// Two consecutive transpositions become one, or none if the second undoes the first. Runs until
// nothing changes, so that a chain of them becomes one. The first one and the permutations are kept
// if they have other readers. Not an original transform.
#include "graph_model/graph/node_flags.h"
#include "transforms/constants/const_node.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/fresh_name.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

using Permutation = std::vector<std::int32_t>;

bool isPermutation(Permutation values)
{
    std::ranges::sort(values);
    Permutation counted(values.size());
    std::iota(counted.begin(), counted.end(), 0);
    return values == counted;
}

// Returns the permutation `first` followed by `second`; empty if they do not fit. Dimension i of
// the result is dimension first[second[i]] of the input.
Permutation merged(const Permutation& first, const Permutation& second)
{
    if (first.size() != second.size() || !isPermutation(first) || !isPermutation(second))
        return {};
    Permutation both;
    for (const std::int32_t axis : second)
        both.push_back(first[std::size_t(axis)]);
    return both;
}

// Flags the transpositions that read themselves through others: merging those would not end.
// O(nodes).
NodeFlags endlessRows(const Graph& graph)
{
    enum : std::uint8_t { Unknown, OnWay, Ends, Endless };
    std::vector<std::uint8_t> state(graph.size(), Unknown);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        std::vector<NodeId> way;
        NodeId at{i};
        while (at.isValid() && state[at.value] == Unknown && graph.node(at).op() == "Transpose" &&
               !graph.inputs(at).empty()) {
            state[at.value] = OnWay;
            way.push_back(at);
            at = graph.inputs(at)[0].node;
        }
        const bool isEndless =
            at.isValid() && (state[at.value] == OnWay || state[at.value] == Endless);
        for (const NodeId id : way)
            state[id.value] = isEndless ? Endless : Ends;
    }
    NodeFlags flags(graph.size(), false);
    std::ranges::transform(state, flags.begin(), [](std::uint8_t one) { return one == Endless; });
    return flags;
}

Rewritten rewrite(const Graph& graph, const Match& match, const PassArgs& args,
                  const NodeFlags& isEndless, Replacement& parts)
{
    const Match& first = match.input(0);
    if (isEndless[first.node.value])
        return Declined{"the first transposition reads itself"};
    const auto before = intValues(graph.node(first.input(1).node));
    const auto after = intValues(graph.node(match.input(1).node));
    if (!before || !after)
        return Declined{"a permutation is not constant int32"};
    const Permutation both = merged(*before, *after);
    if (both.empty())
        return Declined{"the permutations do not fit each other"};
    parts.keep(first.input(0).node);
    const bool staysFirst = isNeededOutside(graph, match, first.node, args);
    if (staysFirst)
        parts.keep(first.node);
    if (staysFirst || isNeededOutside(graph, match, first.input(1).node, args))
        parts.keep(first.input(1).node);
    if (isNeededOutside(graph, match, match.input(1).node, args))
        parts.keep(match.input(1).node);
    const Node& last = graph.node(match.node);
    const std::string input(graph.node(first.node).inputs()[0].text);
    const std::string name(last.name());
    NodeDraft draft;
    if (std::ranges::is_sorted(both)) {
        draft = newNode(name, "Identity", {input});
    } else {
        const std::string permutation = freshName(graph, name + "/perm_merged");
        parts.add(intConst(permutation, {std::int64_t(both.size())}, both),
                  {first.input(1).node, match.input(1).node});
        draft = newNode(name, "Transpose", {input, permutation});
        draft.setAttr("Tperm", attr::fromType(DType::Int32));
    }
    copyAttr(last, "T", draft);
    draft.device = last.device();
    parts.change(match.node, std::move(draft), {first.node});
    return Done{};
}

// `isEndless` gets the flags of the graph in which matches are replaced; it must outlive the
// options.
ReplaceOptions options(const PassArgs& args, NodeFlags& isEndless)
{
    const Pattern any{"*", {}};
    const Pattern permutation{"Const", {}};
    return {.pattern = {"Transpose", {{"Transpose", {any, permutation}}, permutation}},
            .rewrite =
                [&](const Graph& graph, const Match& match, Replacement& parts) {
                    return rewrite(graph, match, args, isEndless, parts);
                },
            .reason = "merged with the following transposition",
            .begin = [&](const Graph& graph) { isEndless = endlessRows(graph); }};
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    NodeFlags isEndless;
    return findReplacements(graph, args, options(args, isEndless), job);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    EditChain chain(graph);
    NodeFlags isEndless;
    RETURN_IF_ERROR(replaceInChain(chain, args, options(args, isEndless),
                                   Rounds::UntilNothingChanges, job, nullptr));
    return std::move(chain).finish();
}

} // namespace

const Pass passes::mergeTransposes{
    .name = "merge_transposes",
    .summary =
        "Merges two consecutive Transpose nodes, or removes both if the second undoes the first.",
    .before = "a = Transpose(x, [0, 3, 1, 2])\n"
              "y = Transpose(a, [0, 2, 3, 1])",
    .after = "y = Identity(x)",
    .declines = "Permutations that are not constant int32, or do not fit each other. The first "
                "transposition stays where others read it or it is an output.",
    .differences = notOriginal,
    .find = find,
    .run = run,
};

} // namespace lapidary
