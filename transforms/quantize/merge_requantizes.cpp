// SPDX-License-Identifier: Apache-2.0
//   before:  Requantize(QuantizeV2(Dequantize(Requantize(x, RequantizationRange(x)))), min, max)
//   after:   Requantize(x, min, max)
#include "transforms/match/replacement.h"
#include "transforms/quantize/quantize_steps.h"

#include <algorithm>

namespace lapidary {
namespace {

Pattern pattern()
{
    const Pattern inner{"Requantize",
                        {{"*", {}},
                         {"*", {}},
                         {"*", {}},
                         {"RequantizationRange", {}},
                         {"RequantizationRange", {}}}};
    const Pattern unpack{"Dequantize", {inner, {"Requantize", {}}, {"Requantize", {}}}};
    const Pattern pack{"QuantizeV2", {unpack, {"Const", {}}, {"Const", {}}}};
    return {"Requantize",
            {pack, {"QuantizeV2", {}}, {"QuantizeV2", {}}, {"Const", {}}, {"Const", {}}}};
}

bool isSameNode(const Match& match, std::initializer_list<std::size_t> inputs)
{
    return std::ranges::all_of(inputs, [&](std::size_t i) {
        return match.input(i).node == match.input(*inputs.begin()).node;
    });
}

std::vector<std::string> dataInputs(const Node& node)
{
    std::vector<std::string> texts;
    for (const Input& input : node.inputs())
        if (!input.isControl())
            texts.emplace_back(input.text);
    return texts;
}

Rewritten mergedRequantize(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& pack = match.input(0);
    const Match& unpack = pack.input(0);
    const Match& inner = unpack.input(0);
    if (!isSameNode(match, {0, 1, 2}) || !isSameNode(unpack, {0, 1, 2}) ||
        !isSameNode(inner, {0, 1, 2}) || !isSameNode(inner, {3, 4}))
        return Declined{"its inputs come from different nodes"};
    if (graph.node(pack.node).attr("T").asType() != DType::QInt32 ||
        graph.node(inner.node).attr("out_type").asType() != DType::QUInt8)
        return Declined{"its codes are not of 32 and 8 bits"};
    const std::string producer(graph.node(inner.input(0).node).name());
    const std::vector<std::string> old = dataInputs(graph.node(match.node));
    NodeDraft draft = NodeDraft::of(graph.node(match.node));
    std::vector<std::string> inputs{producer + ":0", producer + ":1", producer + ":2", old[3],
                                    old[4]};
    for (std::string& input : draft.inputs)
        if (input.starts_with('^'))
            inputs.push_back(std::move(input));
    draft.inputs = std::move(inputs);
    parts.keep(inner.input(0).node);
    parts.keep(match.input(3).node);
    parts.keep(match.input(4).node);
    parts.change(match.node, std::move(draft), {inner.node, unpack.node, pack.node});
    return Done{};
}

} // namespace

Result<EditResult> mergeRequantizes(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                    Findings* findings)
{
    const ReplaceOptions options{pattern(), mergedRequantize, "another Requantize follows"};
    return replaceMatches(graph, args, options, job, findings);
}

} // namespace lapidary
