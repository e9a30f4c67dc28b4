// SPDX-License-Identifier: Apache-2.0
// fold_old_batch_norms
//
//   scale = gamma / sqrt(variance + epsilon); offset = beta - mean * scale
//
// Handles Conv2D and DepthwiseConv2dNative, FusedBatchNorm of all versions and
// BatchNormWithGlobalNormalization; also with a BatchToSpaceND between, and after a concatenation
// of two convolutions; with through_bias also after a bias that is added to the convolution:
//
//   offset = beta + (bias - mean) * scale
//
// Declines training mode, channels that do not agree, outputs 1 to 4 that are read or are outputs
// of the model, and a convolution or weights that others read.
#include "transforms/constants/const_node.h"
#include "transforms/convolution/batch_norm.h"
#include "transforms/convolution/channel_scale.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    throughBiasParameter,
    ParameterSpec{.name = "keep_statistics",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "store the mean and deviation of each channel on the bias, as attributes "
                          "_bn_mean and _bn_deviation, for later passes"},
};

constexpr std::string_view normOps = "BatchNormWithGlobalNormalization|FusedBatchNorm|"
                                     "FusedBatchNormV2|FusedBatchNormV3";
constexpr std::string_view convOps = "Conv2D|DepthwiseConv2dNative";

Pattern normPattern(Pattern data)
{
    const Pattern constant{"Const", {}};
    return {std::string(normOps), {std::move(data), constant, constant, constant, constant}};
}

Pattern convPattern()
{
    return {std::string(convOps), {{"*", {}}, {"Const", {}}}};
}

// Returns the output of the normalization, other than the first, that is an output of the model; 0:
// none.
std::int32_t requestedStatistic(const Graph& graph, NodeId norm, const PassArgs& args)
{
    std::int32_t requested = 0;
    for (const auto* names : {&args.outputs, &args.inputs})
        for (const std::string& name : *names)
            if (const Input tensor = parseInput(name); tensor.node == graph.node(norm).name())
                requested = std::max(requested, tensor.port);
    return requested;
}

Result<NormFactors> factorsOf(const Graph& graph, const Match& match, const PassArgs& args)
{
    if (const std::int32_t port = requestedStatistic(graph, match.node, args); port > 0)
        return Error{ErrorCode::InvalidArgument,
                     "its output " + std::to_string(port) + " is an input or output of the model"};
    ASSIGN_OR_RETURN(auto factors, normFactors(graph, match.node,
                                               {match.input(1).node, match.input(2).node,
                                                match.input(3).node, match.input(4).node}));
    ASSIGN_OR_RETURN(const bool keeps, args.parameters.oneBool("keep_statistics", false));
    if (!keeps)
        factors.statistics = {};
    return factors;
}

// Keeps vectors that others read in the graph.
void keepSharedVectors(const Graph& graph, const Match& match, Replacement& parts)
{
    const auto isOther = [&](const Consumer& consumer) { return consumer.node != match.node; };
    for (std::size_t i = 1; i < match.inputs.size(); ++i)
        if (std::ranges::any_of(graph.consumers(match.input(i).node), isOther))
            parts.keep(match.input(i).node);
}

void scaleConv(const Match& conv, NodeDraft weights, Replacement& parts)
{
    parts.change(conv.input(1).node, std::move(weights));
    parts.keep(conv.input(0).node);
    parts.keep(conv.node);
    parts.revalue(conv.input(1).node);
    parts.revalue(conv.node);
}

Rewritten behindConv(const Graph& graph, const Match& match, const PassArgs& args,
                     Replacement& parts)
{
    const Match& conv = match.input(0);
    const auto factors = factorsOf(graph, match, args);
    if (!factors)
        return Declined{factors.error().message};
    auto folded = foldIntoConv(graph, conv, *factors, graph.node(match.node).name());
    if (!folded)
        return Declined{folded.error().message};
    scaleConv(conv, std::move(folded->weights), parts);
    parts.add(std::move(folded->offset), {match.node});
    parts.change(match.node, std::move(folded->biasAdd));
    keepSharedVectors(graph, match, parts);
    return Done{};
}

Rewritten behindBias(const Graph& graph, const Match& match, const PassArgs& args,
                     Replacement& parts)
{
    const Match& sum = match.input(0);
    const Node& bias = graph.node(sum.input(1).node);
    auto factors = factorsOf(graph, match, args);
    if (!factors)
        return Declined{factors.error().message};
    const auto added = floatValues(bias);
    if (!added || constDims(bias).size() != 1 || added->size() != factors->scale.size())
        return Declined{std::string(bias.name()) + " has no value for each channel"};
    if (graph.node(sum.node).attr("data_format").asString().value_or("NHWC") != "NHWC")
        return Declined{std::string(graph.node(sum.node).name()) + " is channels-first"};
    for (std::size_t k = 0; k < added->size(); ++k)
        factors->offset[k] += (*added)[k] * factors->scale[k];
    const Match& conv = sum.input(0);
    auto folded = foldIntoConv(graph, conv, *factors, graph.node(match.node).name());
    if (!folded)
        return Declined{folded.error().message};
    scaleConv(conv, std::move(folded->weights), parts);
    parts.add(std::move(folded->offset), {match.node});
    parts.change(match.node, std::move(folded->biasAdd), {sum.node});
    keepSharedVectors(graph, match, parts);
    keepSharedVectors(graph, sum, parts);
    return Done{};
}

Rewritten behindBatchToSpace(const Graph& graph, const Match& match, const PassArgs& args,
                             Replacement& parts)
{
    const Match& toSpace = match.input(0);
    const Match& conv = toSpace.input(0);
    const auto factors = factorsOf(graph, match, args);
    if (!factors)
        return Declined{factors.error().message};
    if (graph.consumers(toSpace.node).size() != 1)
        return Declined{std::string(graph.node(toSpace.node).name()) + " is also read elsewhere"};
    const std::string bias = std::string(graph.node(conv.node).name()) + "/biasadd";
    auto folded = foldIntoConv(graph, conv, *factors, bias);
    if (!folded)
        return Declined{folded.error().message};
    NodeDraft last = NodeDraft::of(graph.node(toSpace.node));
    last.name = graph.node(match.node).name();
    last.inputs[0] = bias;
    scaleConv(conv, std::move(folded->weights), parts);
    parts.add(std::move(folded->offset), {match.node});
    parts.add(std::move(folded->biasAdd), {match.node});
    parts.keep(toSpace.input(1).node);
    parts.keep(toSpace.input(2).node);
    parts.change(toSpace.node, std::move(last), {match.node});
    keepSharedVectors(graph, match, parts);
    return Done{};
}

NormFactors slice(const NormFactors& all, std::size_t begin, std::size_t end)
{
    const auto part = [&](const std::vector<float>& values) {
        return values.empty() ? values
                              : std::vector<float>(values.begin() + std::ptrdiff_t(begin),
                                                   values.begin() + std::ptrdiff_t(end));
    };
    return {part(all.scale),
            part(all.offset),
            {part(all.statistics.mean), part(all.statistics.deviation)}};
}

// Returns the factors of each of two concatenated convolutions: a part of the factors if they are
// concatenated along the channels, else all.
Result<std::vector<NormFactors>> sharedOut(const Graph& graph, const Match& concat,
                                           const NormFactors& factors)
{
    const auto axis = intValues(graph.node(concat.input(2).node));
    if (!axis || axis.value().size() != 1)
        return Error{ErrorCode::InvalidArgument, "its axis is not an int32 scalar"};
    if (axis.value()[0] != 3 && axis.value()[0] != -1)
        return std::vector<NormFactors>{factors, factors};
    const Match& first = concat.input(0);
    const auto channels = outputChannels(graph.node(first.node), graph.node(first.input(1).node));
    RETURN_IF_ERROR(channels);
    if (*channels < 0 || std::size_t(*channels) > factors.scale.size())
        return Error{ErrorCode::InvalidArgument, "the channels do not agree with its vectors"};
    const auto cut = std::size_t(*channels);
    return std::vector<NormFactors>{slice(factors, 0, cut),
                                    slice(factors, cut, factors.scale.size())};
}

Rewritten behindConcat(const Graph& graph, const Match& match, const PassArgs& args,
                       Replacement& parts)
{
    const Match& concat = match.input(0);
    const Node& concatNode = graph.node(concat.node);
    const auto factors = factorsOf(graph, match, args);
    if (!factors)
        return Declined{factors.error().message};
    if (graph.consumers(concat.node).size() != 1)
        return Declined{std::string(concatNode.name()) + " is also read elsewhere"};
    const auto shares = sharedOut(graph, concat, *factors);
    if (!shares)
        return Declined{shares.error().message};
    NodeDraft last = NodeDraft::of(concatNode);
    last.name = graph.node(match.node).name();
    for (std::size_t i = 0; i < 2; ++i) {
        const Match& conv = concat.input(i);
        const std::string bias = std::string(concatNode.name()) + "_bn_in" + std::to_string(i);
        auto folded = foldIntoConv(graph, conv, (*shares)[i], bias);
        if (!folded)
            return Declined{folded.error().message};
        scaleConv(conv, std::move(folded->weights), parts);
        parts.add(std::move(folded->offset), {match.node});
        parts.add(std::move(folded->biasAdd), {match.node});
        last.inputs[i] = bias;
    }
    parts.keep(concat.input(2).node);
    parts.change(concat.node, std::move(last), {match.node});
    keepSharedVectors(graph, match, parts);
    return Done{};
}

using Fold = Rewritten (*)(const Graph&, const Match&, const PassArgs&, Replacement&);

ReplaceOptions step(Pattern pattern, Fold fold, const PassArgs& args)
{
    return {std::move(pattern),
            [fold, &args](const Graph& graph, const Match& match, Replacement& parts) {
                return fold(graph, match, args, parts);
            },
            "folded into the preceding convolution"};
}

Result<std::vector<ReplaceOptions>> steps(const PassArgs& args)
{
    ASSIGN_OR_RETURN(const bool throughBias, args.parameters.oneBool("through_bias", false));
    const Pattern constant{"Const", {}};
    const Pattern toSpace{"BatchToSpaceND", {convPattern(), constant, constant}};
    const Pattern concat{"ConcatV2", {convPattern(), convPattern(), constant}};
    std::vector<ReplaceOptions> all{step(normPattern(convPattern()), behindConv, args),
                                    step(normPattern(toSpace), behindBatchToSpace, args),
                                    step(normPattern(concat), behindConcat, args)};
    if (throughBias)
        all.push_back(
            step(normPattern({"BiasAdd|Add|AddV2", {convPattern(), constant}}), behindBias, args));
    return all;
}

Result<EditResult> foldAll(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    EditChain chain(graph);
    ASSIGN_OR_RETURN(const auto all, steps(args));
    for (const ReplaceOptions& step : all)
        if (const Status folded =
                replaceInChain(chain, args, step, Rounds::UntilNothingChanges, job, findings);
            !folded)
            return folded.error();
    return std::move(chain).finish();
}

} // namespace

const Pass passes::foldOldBatchNorms{
    .name = "fold_old_batch_norms",
    .summary = "Folds batch normalization into the preceding convolution.",
    .before = "c = Conv2D(x, w)\n"
              "y = FusedBatchNorm(c, gamma, beta, mean, variance)",
    .after = "c = Conv2D(x, w * gamma / sqrt(variance + epsilon))\n"
             "y = BiasAdd(c, beta - mean * gamma / sqrt(variance + epsilon))",
    .declines = "Training mode, vectors that do not have one value a channel, outputs 1 to 4 of "
                "the normalization that are read or asked for, and a convolution or weights that "
                "are read elsewhere or are outputs.",
    .differences =
        "FusedBatchNorm of versions 2 and 3 is folded too. Places that do not fit are "
        "left alone; the original changes what others read, crashes, never ends or "
        "fails the recipe. Control inputs are kept. through_bias and keep_statistics are "
        "new.",
    .parameters = parameters,
    .find = OneWalk<foldAll>::find,
    .run = OneWalk<foldAll>::run,
};

} // namespace lapidary
