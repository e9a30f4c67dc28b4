// fold_old_batch_norms
//
//   before:  y = FusedBatchNorm(Conv2D(x, Const w), gamma, beta, mean, variance)
//   after:   y = BiasAdd(Conv2D(x, Const w * scale), Const offset)
//
//   scale = gamma / sqrt(variance + epsilon); offset = beta - mean * scale
//
// Conv2D and DepthwiseConv2dNative, FusedBatchNorm of all versions and
// BatchNormWithGlobalNormalization; also with a BatchToSpaceND between, and behind a concatenation
// of two convolutions. Declines training mode, channels that do not agree, outputs 1 to 4 that are
// read, and a convolution or weights that others read.
#include "transforms/match/replacement.h"
#include "transforms/pass/batch_norm.h"
#include "transforms/pass/channel_scale.h"
#include "transforms/pass/const_node.h"
#include "transforms/passes/passes.h"

#include <algorithm>

namespace lapidary {
namespace {

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

Result<NormFactors> factorsOf(const Graph& graph, const Match& match)
{
    return normFactors(
        graph, match.node,
        {match.input(1).node, match.input(2).node, match.input(3).node, match.input(4).node});
}

// Vectors that others read stay in the graph.
void keepSharedVectors(const Graph& graph, const Match& match, Replacement& parts)
{
    const auto isOther = [&](const Consumer& consumer) { return consumer.node != match.node; };
    for (std::size_t i = 1; i < match.inputs.size(); ++i)
        if (std::ranges::any_of(graph.consumers(match.input(i).node), isOther))
            parts.keep(match.input(i).node);
}

Result<std::string> behindConv(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& conv = match.input(0);
    const auto factors = factorsOf(graph, match);
    if (!factors)
        return factors.error().message;
    auto folded = foldIntoConv(graph, conv, factors.value(), graph.node(match.node).name());
    if (!folded)
        return folded.error().message;
    parts.change(conv.input(1).node, std::move(folded.value().weights));
    parts.keep(conv.input(0).node);
    parts.keep(conv.node);
    parts.revalue(conv.input(1).node);
    parts.revalue(conv.node);
    parts.add(std::move(folded.value().offset), {match.node});
    parts.change(match.node, std::move(folded.value().biasAdd));
    keepSharedVectors(graph, match, parts);
    return std::string();
}

Result<std::string> behindBatchToSpace(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& toSpace = match.input(0);
    const Match& conv = toSpace.input(0);
    const auto factors = factorsOf(graph, match);
    if (!factors)
        return factors.error().message;
    if (graph.consumers(toSpace.node).size() != 1)
        return std::string(graph.node(toSpace.node).name()) + " is also read elsewhere";
    const std::string bias = std::string(graph.node(conv.node).name()) + "/biasadd";
    auto folded = foldIntoConv(graph, conv, factors.value(), bias);
    if (!folded)
        return folded.error().message;
    NodeDraft last = NodeDraft::of(graph.node(toSpace.node));
    last.name = graph.node(match.node).name();
    last.inputs[0] = bias;
    parts.change(conv.input(1).node, std::move(folded.value().weights));
    parts.keep(conv.input(0).node);
    parts.keep(conv.node);
    parts.revalue(conv.input(1).node);
    parts.revalue(conv.node);
    parts.add(std::move(folded.value().offset), {match.node});
    parts.add(std::move(folded.value().biasAdd), {match.node});
    parts.keep(toSpace.input(1).node);
    parts.keep(toSpace.input(2).node);
    parts.change(toSpace.node, std::move(last), {match.node});
    keepSharedVectors(graph, match, parts);
    return std::string();
}

// The factors of each of two concatenated convolutions: a part of them along the channels, else
// all.
Result<std::vector<NormFactors>> sharedOut(const Graph& graph, const Match& concat,
                                           const NormFactors& factors)
{
    const auto axis = intValues(graph.node(concat.input(2).node));
    if (!axis || axis.value().size() != 1)
        return Error{ErrorCode::InvalidArgument, "its axis is no int32 scalar"};
    if (axis.value()[0] != 3 && axis.value()[0] != -1)
        return std::vector<NormFactors>{factors, factors};
    const Match& first = concat.input(0);
    const auto channels = outputChannels(graph.node(first.node), graph.node(first.input(1).node));
    if (!channels)
        return channels.error();
    if (channels.value() < 0 || std::size_t(channels.value()) > factors.scale.size())
        return Error{ErrorCode::InvalidArgument, "the channels do not agree with its vectors"};
    const auto cut = std::ptrdiff_t(channels.value());
    return std::vector<NormFactors>{{{factors.scale.begin(), factors.scale.begin() + cut},
                                     {factors.offset.begin(), factors.offset.begin() + cut}},
                                    {{factors.scale.begin() + cut, factors.scale.end()},
                                     {factors.offset.begin() + cut, factors.offset.end()}}};
}

Result<std::string> behindConcat(const Graph& graph, const Match& match, Replacement& parts)
{
    const Match& concat = match.input(0);
    const Node& concatNode = graph.node(concat.node);
    const auto factors = factorsOf(graph, match);
    if (!factors)
        return factors.error().message;
    if (graph.consumers(concat.node).size() != 1)
        return std::string(concatNode.name()) + " is also read elsewhere";
    const auto shares = sharedOut(graph, concat, factors.value());
    if (!shares)
        return shares.error().message;
    NodeDraft last = NodeDraft::of(concatNode);
    last.name = graph.node(match.node).name();
    for (std::size_t i = 0; i < 2; ++i) {
        const Match& conv = concat.input(i);
        const std::string bias = std::string(concatNode.name()) + "_bn_in" + std::to_string(i);
        auto folded = foldIntoConv(graph, conv, shares.value()[i], bias);
        if (!folded)
            return folded.error().message;
        parts.change(conv.input(1).node, std::move(folded.value().weights));
        parts.keep(conv.input(0).node);
        parts.keep(conv.node);
        parts.revalue(conv.input(1).node);
        parts.revalue(conv.node);
        parts.add(std::move(folded.value().offset), {match.node});
        parts.add(std::move(folded.value().biasAdd), {match.node});
        last.inputs[i] = bias;
    }
    parts.keep(concat.input(2).node);
    parts.change(concat.node, std::move(last), {match.node});
    keepSharedVectors(graph, match, parts);
    return std::string();
}

std::vector<ReplaceOptions> steps()
{
    const Pattern constant{"Const", {}};
    const std::string reason = "folded into the convolution in front of it";
    return {{normPattern(convPattern()), behindConv, reason},
            {normPattern({"BatchToSpaceND", {convPattern(), constant, constant}}),
             behindBatchToSpace, reason},
            {normPattern({"ConcatV2", {convPattern(), convPattern(), constant}}), behindConcat,
             reason}};
}

Result<EditResult> foldAll(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    EditChain chain(graph);
    for (const ReplaceOptions& step : steps())
        if (const Status folded =
                replaceInChain(chain, args, step, Rounds::UntilNothingChanges, job, findings);
            !folded)
            return folded.error();
    return std::move(chain).finish();
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    const auto edit = foldAll(graph, args, job, &findings);
    if (!edit)
        return edit.error();
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return foldAll(graph, args, job, nullptr);
}

} // namespace

const Pass passes::foldOldBatchNorms{
    .name = "fold_old_batch_norms",
    .summary = "Folds batch normalisation into the convolution in front of it.",
    .find = find,
    .run = run,
};

} // namespace lapidary
