// quantize_nodes
//
//   before:  y = Relu(Conv2D(x, w))
//   after:   y = Dequantize(QuantizedRelu(Requantize(QuantizedConv2D(QuantizeV2(x), ...))))
//
// Computes in 8 bits what has an 8-bit op: placeholders (with input_min and input_max), trained
// ranges of fake quantisation, then op by op; takes out what is packed again at once. Needs float
// ops in NHWC without dilation. Run it after backport_concatv2 and quantize_weights, and
// strip_unused_nodes behind it. A second run quantises the Reshapes that the first one made to find
// ranges, as the original's does.
#include "transforms/pass/dangling_input.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/passes/passes.h"
#include "transforms/quantise/quantise_steps.h"

#include <array>
#include <functional>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "input_min",
                  .type = "float",
                  .help = "the least value of what is fed; with input_max, codes are fed"},
    ParameterSpec{.name = "input_max", .type = "float", .help = "the largest value of what is fed"},
    ParameterSpec{.name = "fallback_min",
                  .type = "float",
                  .help = "the least value of every result, in the place of a measured one"},
    ParameterSpec{
        .name = "fallback_max", .type = "float", .help = "the largest value of every result"},
    ParameterSpec{.name = "ignore_op",
                  .type = "string",
                  .help = "an op that stays as it is",
                  .isRepeated = true},
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
    const auto low = given.oneFloat(min, 0);
    if (!low)
        return low.error();
    const auto high = given.oneFloat(max, 0);
    if (!high)
        return high.error();
    return std::optional(FixedRange{low.value(), high.value()});
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

Result<std::vector<Step>> stepsOf(const PassArgs& args, const Job& job)
{
    const auto input = rangeOf(args.parameters, "input");
    if (!input)
        return input.error();
    const auto fallback = rangeOf(args.parameters, "fallback");
    if (!fallback)
        return fallback.error();
    QuantiseOptions options{{}, fallback.value()};
    for (std::string& op : args.parameters.all("ignore_op"))
        options.ignoredOps.insert(std::move(op));
    std::vector<Step> steps;
    if (input.value())
        steps.emplace_back(
            [range = *input.value(), &job](const GraphPtr& graph, Findings* findings) {
                return quantisePlaceholders(graph, range, job, findings);
            });
    for (const auto step : {hoistFakeQuants, convertFakeQuants})
        steps.emplace_back([step, &args, &job](const GraphPtr& graph, Findings* findings) {
            return step(graph, args, job, findings);
        });
    steps.emplace_back(
        [options = std::move(options), &args, &job](const GraphPtr& graph, Findings* findings) {
            return quantiseOps(graph, args, options, job, findings);
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
    return steps;
}

Result<EditResult> quantise(const GraphPtr& graph, const PassArgs& args, const Job& job,
                            Findings* findings)
{
    const auto steps = stepsOf(args, job);
    if (!steps)
        return steps.error();
    EditChain edits(graph);
    for (const Step& step : steps.value()) {
        if (std::string fault = danglingInput(*edits.graph()); !fault.empty())
            return Error{ErrorCode::InvalidArgument, std::move(fault)};
        Findings some;
        auto edit = step(edits.graph(), findings != nullptr ? &some : nullptr);
        for (Finding& finding : edits.inBase(std::move(some)))
            findings->push_back(std::move(finding));
        if (const auto changed = edits.apply(std::move(edit)); !changed)
            return changed.error();
    }
    return std::move(edits).finish();
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return quantise(graph, args, job, nullptr);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    const auto edit = quantise(graph, args, job, &findings);
    if (!edit)
        return edit.error();
    return findings;
}

} // namespace

const Pass passes::quantizeNodes{
    .name = "quantize_nodes",
    .summary = "Lets ops compute in 8 bits, between nodes that pack and unpack.",
    .parameters = parameters,
    .find = find,
    .run = run,
    .repeats = true,
};

} // namespace lapidary
