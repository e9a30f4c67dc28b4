// SPDX-License-Identifier: Apache-2.0
// quantize_nodes
//
// Makes nodes that have an 8-bit op compute in 8 bits: placeholders (with input_min and input_max),
// trained ranges of fake quantization, then op by op; removes values that are unpacked and packed
// again at once. Needs float ops in NHWC without dilation. Run it after backport_concatv2 and
// quantize_weights, and strip_unused_nodes after it. A second run quantizes the Reshapes that the
// first one made to find ranges, as the original's does.
#include "transforms/edits/dangling_input.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/passes/passes.h"
#include "transforms/quantize/quantize_steps.h"

#include <array>
#include <functional>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "input_min",
                  .type = ParameterType::Float,
                  .help =
                      "smallest value of the inputs; with input_max, the graph is fed 8-bit codes"},
    ParameterSpec{
        .name = "input_max", .type = ParameterType::Float, .help = "largest value of the inputs"},
    ParameterSpec{.name = "fallback_min",
                  .type = ParameterType::Float,
                  .help = "smallest value of every result, instead of a measured one"},
    ParameterSpec{.name = "fallback_max",
                  .type = ParameterType::Float,
                  .help = "largest value of every result, instead of a measured one"},
    ParameterSpec{.name = "ignore_op",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "an op to leave in float",
                  .isRepeated = true},
    ParameterSpec{.name = "ignore_node",
                  .role = ParameterRole::Node,
                  .help = "a node to leave in float; * and ? are wildcards",
                  .isRepeated = true},
    ParameterSpec{.name = "accumulators",
                  .defaultText = "requantize",
                  .help = "requantize: round every result to 8 bits; float: quantize only the "
                          "inputs of convolutions and matrix products with 8-bit weights"},
};

Result<std::optional<FixedRange>> rangeOf(const Parameters& given, const std::string& stem)
{
    const std::string min = stem + "_min";
    const std::string max = stem + "_max";
    if (given.count(min) == 0 && given.count(max) == 0)
        return std::optional<FixedRange>();
    if (given.count(min) == 0 || given.count(max) == 0)
        return Error{ErrorCode::InvalidArgument,
                     "quantize_nodes needs both " + min + " and " + max + ", or neither"};
    ASSIGN_OR_RETURN(const auto low, given.oneFloat(min, 0));
    ASSIGN_OR_RETURN(const auto high, given.oneFloat(max, 0));
    return std::optional(FixedRange{low, high});
}

using Step = std::function<Result<EditResult>(const GraphPtr& graph, Findings* findings)>;

Result<EditResult> mergeDuplicates(const GraphPtr& graph, const PassArgs& args, const Job& job,
                                   Findings* findings)
{
    auto edit = passes::mergeDuplicateNodes.run(graph, args, job);
    if (edit && findings != nullptr)
        for (const auto& [id, removal] : edit.value().lineage.removed)
            findings->push_back({{id}, ""});
    return edit;
}

// Returns the steps that keep sums as floats.
Result<std::vector<Step>> productSteps(const QuantizeOptions& options, const PassArgs& args,
                                       const Job& job)
{
    for (const char* name : {"input_min", "input_max", "fallback_min", "fallback_max"})
        if (args.parameters.count(name) > 0)
            return Error{ErrorCode::InvalidArgument,
                         "quantize_nodes(accumulators=float) measures the ranges of its inputs: "
                         "leave out " +
                             std::string(name)};
    return std::vector<Step>{[options, &args, &job](const GraphPtr& graph, Findings* findings) {
                                 return quantizeProducts(graph, args, options, job, findings);
                             },
                             [&args, &job](const GraphPtr& graph, Findings* findings) {
                                 return mergeDuplicates(graph, args, job, findings);
                             }};
}

Result<bool> keepsFloats(const Parameters& given)
{
    ASSIGN_OR_RETURN(const std::string form, given.oneString("accumulators", "requantize"));
    if (form != "float" && form != "requantize")
        return Error{ErrorCode::InvalidArgument,
                     "accumulators of quantize_nodes is requantize or float, not '" + form + "'"};
    return form == "float";
}

Result<std::vector<Step>> stepsOf(const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto input, rangeOf(args.parameters, "input"));
    ASSIGN_OR_RETURN(const auto fallback, rangeOf(args.parameters, "fallback"));
    QuantizeOptions options{{}, fallback, args.parameters.all("ignore_node")};
    for (std::string& op : args.parameters.all("ignore_op"))
        options.ignoredOps.insert(std::move(op));
    ASSIGN_OR_RETURN(const bool floats, keepsFloats(args.parameters));
    if (floats)
        return productSteps(options, args, job);
    std::vector<Step> steps;
    if (input)
        steps.emplace_back([range = *input, &job](const GraphPtr& graph, Findings* findings) {
            return quantizePlaceholders(graph, range, job, findings);
        });
    for (const auto step : {hoistFakeQuants, convertFakeQuants})
        steps.emplace_back([step, &args, &job](const GraphPtr& graph, Findings* findings) {
            return step(graph, args, job, findings);
        });
    steps.emplace_back(
        [options = std::move(options), &args, &job](const GraphPtr& graph, Findings* findings) {
            return quantizeOps(graph, args, options, job, findings);
        });
    steps.emplace_back([&args, &job](const GraphPtr& graph, Findings* findings) {
        return mergeRequantizes(graph, args, job, findings);
    });
    steps.emplace_back([&args, &job](const GraphPtr& graph, Findings* findings) {
        return mergeDuplicates(graph, args, job, findings);
    });
    steps.emplace_back([&args, &job](const GraphPtr& graph, Findings* findings) {
        return skipQuantizations(graph, args, job, findings);
    });
    steps.emplace_back([&job](const GraphPtr& graph, Findings* findings) {
        return dropWaits(graph, job, findings);
    });
    return steps;
}

Result<EditResult> quantize(const GraphPtr& graph, const PassArgs& args, const Job& job,
                            Findings* findings)
{
    ASSIGN_OR_RETURN(const auto steps, stepsOf(args, job));
    EditChain edits(graph);
    for (const Step& step : steps) {
        if (std::string fault = danglingInput(*edits.graph()); !fault.empty())
            return Error{ErrorCode::InvalidArgument, std::move(fault)};
        Findings some;
        auto edit = step(edits.graph(), findings != nullptr ? &some : nullptr);
        for (Finding& finding : edits.inBase(std::move(some)))
            findings->push_back(std::move(finding));
        RETURN_IF_ERROR(edits.apply(std::move(edit)));
    }
    return std::move(edits).finish();
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return quantize(graph, args, job, nullptr);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    ASSIGN_OR_RETURN(const auto edit, quantize(graph, args, job, &findings));
    return findings;
}

} // namespace

const Pass passes::quantizeNodes{
    .name = "quantize_nodes",
    .summary = "Replaces ops by their 8-bit kernels, between quantize and dequantize nodes.",
    .before = "c = Conv2D(x, w)\n"
              "y = Relu(c)",
    .after = "q = QuantizeV2(x)\n"
             "c = QuantizedConv2D(q, w), its codes requantized from 32 to 8 bits\n"
             "r = QuantizedRelu(c)\n"
             "y = Dequantize(r)\n"
             "with accumulators=float: y = Relu(Dequantize(QuantizedConv2D(q, w))), from 32 bits",
    .declines =
        "Ops without an 8-bit form, values that are not float, channels-first layouts, "
        "dilations, explicit paddings, strides that differ between rows and columns, "
        "operands that the 8-bit op cannot broadcast, tensors without elements, sums and "
        "products that read a product with one column, and what ignore_op and ignore_node "
        "name. With "
        "accumulators=float, weights that are not in 8 bits. A Dequantize and QuantizeV2 pair "
        "stays if its range is another tensor's or the value between has other consumers.",
    .differences = "Control inputs are kept; the original loses them or quantizes them like "
                   "tensors. A tensor that one node reads twice is quantized once, missing "
                   "attributes have their defaults, nodes without type and unknown ops are left "
                   "alone: the original fails there. Every fake quantization is "
                   "converted; the original converts one.",
    .parameters = parameters,
    .find = find,
    .run = run,
    .repeats = true,
};

} // namespace lapidary
