// SPDX-License-Identifier: Apache-2.0
//   before:  f = FakeQuant(MaxPool(Relu(x)))        after:  f = MaxPool(Relu(f_hoisted)),
//                                                           f_hoisted = FakeQuant(x)
// Moves only over ops that keep the order of values and 0, and make no new ones: the result is the
// same.
#include "transforms/match/replacement.h"
#include "transforms/quantize/quantize_steps.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr int longestChain = 3;
// The original's list, shorter than passesInputOn(): these ops give no value outside of the input's
// range.
constexpr std::array passableOps{
    std::string_view("CheckNumerics"), std::string_view("DepthToSpace"),
    std::string_view("Identity"),      std::string_view("MaxPool"),
    std::string_view("Relu"),          std::string_view("Relu6"),
    std::string_view("Snapshot"),      std::string_view("SpaceToDepth"),
    std::string_view("Squeeze"),       std::string_view("StopGradient"),
};

Pattern pattern(int length)
{
    Pattern chain{"*", {}};
    for (int i = 0; i < length; ++i)
        chain = {"*", {chain}};
    return {"FakeQuantWithMinMaxVars", {chain, {"Const", {}}, {"Const", {}}}};
}

void replaceFirstInput(NodeDraft& draft, const std::string& text)
{
    const auto first = std::ranges::find_if(
        draft.inputs, [](const std::string& input) { return !input.starts_with('^'); });
    if (first != draft.inputs.end())
        *first = text;
}

std::string firstInput(const Node& node)
{
    for (const Input& input : node.inputs())
        if (!input.isControl())
            return std::string(input.text);
    return "";
}

// Returns the nodes between the fake quantization and the node that it is moved after, the nearest
// first.
std::vector<NodeId> chainOf(const Match& match, int length)
{
    std::vector<NodeId> chain;
    const Match* at = &match.input(0);
    for (int i = 0; i < length; ++i) {
        chain.push_back(at->node);
        at = &at->input(0);
    }
    chain.push_back(at->node);
    return chain;
}

std::string fault(const Graph& graph, const std::vector<NodeId>& chain)
{
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        const Node& node = graph.node(chain[i]);
        if (!std::ranges::binary_search(passableOps, node.op()))
            return std::string(node.name()) + " is a " + std::string(node.op()) +
                   ", which may make new values";
        if (i > 0 && graph.consumers(chain[i]).size() > 1)
            return std::string(node.name()) + " is also read elsewhere";
    }
    return "";
}

Rewritten rewrite(const Graph& graph, const Match& match, int length, Replacement& parts)
{
    const std::vector<NodeId> chain = chainOf(match, length);
    if (std::string why = fault(graph, chain); !why.empty())
        return Declined{std::move(why)};
    const Node& fake = graph.node(match.node);
    const NodeId nearest = chain.front();
    const NodeId farthest = chain[std::size_t(length) - 1];
    const std::string name(fake.name());
    NodeDraft hoisted = NodeDraft::of(fake);
    hoisted.name = name + "_hoisted";
    replaceFirstInput(hoisted, firstInput(graph.node(farthest)));
    parts.add(std::move(hoisted), {match.node});
    parts.keep(match.input(1).node);
    parts.keep(match.input(2).node);
    NodeDraft last = NodeDraft::of(graph.node(nearest));
    last.name = name;
    if (length == 1)
        replaceFirstInput(last, name + "_hoisted");
    parts.change(nearest, std::move(last), {match.node});
    for (std::size_t i = 1; i + 1 < std::size_t(length); ++i)
        parts.keep(chain[i]);
    if (length > 1) {
        NodeDraft first = NodeDraft::of(graph.node(farthest));
        replaceFirstInput(first, name + "_hoisted");
        parts.change(farthest, std::move(first));
    }
    parts.keep(chain.back());
    return Done{};
}

} // namespace

Result<EditResult> hoistFakeQuants(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                   Findings* findings)
{
    EditChain edits(graph);
    for (int length = longestChain; length > 0; --length) {
        ReplaceOptions options{pattern(length), {}, "moved before the preceding ops"};
        options.rewrite = [length](const Graph& g, const Match& match, Replacement& parts) {
            return rewrite(g, match, length, parts);
        };
        RETURN_IF_ERROR(replaceInChain(edits, args, options, Rounds::One, job, findings));
    }
    return std::move(edits).finish();
}

} // namespace lapidary
