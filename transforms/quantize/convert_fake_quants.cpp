// SPDX-License-Identifier: Apache-2.0
//   before:  f = FakeQuantWithMinMaxVars(x, Const min, Const max)
//   after:   f = Dequantize(Requantize(QuantizeV2(x, min, max) in 32 bits, min, max))
//
// Declines other numbers of bits than 8, narrow ranges, and ranges that Requantize refuses.
#include "transforms/constants/const_node.h"
#include "transforms/match/replacement.h"
#include "transforms/quantize/quantize_steps.h"
#include "transforms/quantize/quantized_node.h"

namespace lapidary {
namespace {

std::string fault(const Graph& graph, const Match& match)
{
    const Node& fake = graph.node(match.node);
    if (fake.attr("num_bits").asInt().value_or(8) != 8)
        return "it does not have 8 bits";
    if (fake.attr("narrow_range").asBool().value_or(false))
        return "its range is narrow";
    const auto min = floatValues(graph.node(match.input(1).node));
    const auto max = floatValues(graph.node(match.input(2).node));
    if (!min || !max || min.value().size() != 1 || max.value().size() != 1)
        return "its range is not a pair of floats";
    if (!(min.value()[0] <= 0 && max.value()[0] >= 0 && min.value()[0] < max.value()[0]))
        return "its range does not hold 0";
    return "";
}

Rewritten rewrite(const Graph& graph, const Match& match, Replacement& parts)
{
    if (std::string why = fault(graph, match); !why.empty())
        return Declined{std::move(why)};
    const Node& fake = graph.node(match.node);
    const std::string name(fake.name());
    const std::string base = name + "_eightbit/";
    std::vector<std::string> inputs;
    std::vector<std::string> controls;
    for (const Input& input : fake.inputs())
        (input.isControl() ? controls : inputs).emplace_back(input.text);
    std::vector<std::string> all = inputs;
    all.insert(all.end(), controls.begin(), controls.end());
    std::vector<std::string> codes = threeOutputs(base + "quantize");
    codes.insert(codes.end(), {inputs[1], inputs[2]});
    for (const Match& from : match.inputs)
        parts.keep(from.node);
    parts.add(quantizeNode(base + "quantize", all, DType::QInt32), {match.node});
    parts.add(requantizeNode(base + "requantize", codes), {match.node});
    parts.change(match.node, dequantizeNode(name, threeOutputs(base + "requantize")));
    return Done{};
}

} // namespace

Result<EditResult> convertFakeQuants(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                     Findings* findings)
{
    const ReplaceOptions options{
        {"FakeQuantWithMinMaxVars", {{"*", {}}, {"Const", {}}, {"Const", {}}}},
        rewrite,
        "converted to a quantization"};
    EditChain edits(graph);
    // Matches that share a producer or a range are converted one after the other.
    if (const Status converted =
            replaceInChain(edits, args, options, Rounds::UntilNothingChanges, job, findings);
        !converted)
        return converted.error();
    return std::move(edits).finish();
}

} // namespace lapidary
