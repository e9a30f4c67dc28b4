// SPDX-License-Identifier: Apache-2.0
// freeze_ranges
//
// Does in one step the work of insert_logging, a run and freeze_requantization_ranges, and freezes
// the ranges of QuantizeV2 too: each that is measured while the graph runs becomes two constants.
// Statistics come from fold_old_batch_norms(keep_statistics=true): a channel is within six
// deviations of its mean.
#include "transforms/quantize/freeze_ranges.h"

#include "transforms/constants/const_node.h"
#include "transforms/layers/channel_spread.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/passes/passes.h"
#include "transforms/quantize/measured_ranges.h"
#include "transforms/quantize/value_histogram.h"
#include "transforms/samples/run_samples.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "method",
                  .defaultText = "minmax",
                  .help = "minmax, average, percentile, mse or kl: from samples; statistics: from "
                          "folded batch normalizations, without samples"},
    ParameterSpec{
        .name = "percentile",
        .type = ParameterType::Float,
        .defaultText = "99.9",
        .help =
            "for method=percentile: percentage of the values to cover at either end of the range"},
    samplesParameter,
    inputMinParameter,
    inputMaxParameter,
};

struct Options {
    RangeMethod method = RangeMethod::MinMax;
    double percentile = 0;
    SampleOptions samples;
};

Result<Options> optionsOf(const Parameters& given)
{
    Options options;
    ASSIGN_OR_RETURN(const std::string method, given.oneString("method", "minmax"));
    ASSIGN_OR_RETURN(options.method, rangeMethod(method));
    constexpr float usual = 99.9F;
    ASSIGN_OR_RETURN(const float percentile, given.oneFloat("percentile", usual));
    if (!(percentile > 50 && percentile <= 100))
        return Error{ErrorCode::InvalidArgument, "percentile is above 50 and at most 100"};
    options.percentile = double(percentile);
    ASSIGN_OR_RETURN(options.samples, sampleOptions(given));
    return options;
}

// Computes the range from the statistics of the nodes before; a fed tensor has the given range.
Result<FrozenRange> rangeOfStatistics(const Graph& graph, const MeasuredRange& place,
                                      const Options& options)
{
    if (place.isRequantized)
        return Error{ErrorCode::InvalidArgument, "sums of 32 bits have no statistics"};
    if (graph.node(place.tensor.node).op() == "Placeholder") {
        if (!options.samples.range)
            return Error{ErrorCode::InvalidArgument,
                         "the range of an input: give input_min and input_max"};
        return FrozenRange{float(std::min(options.samples.range->low, 0.0)),
                           float(std::max(options.samples.range->high, 0.0))};
    }
    ASSIGN_OR_RETURN(const ChannelSpreads spreads, channelSpreads(graph, place.tensor.node));
    constexpr double deviations = 6;
    double low = 0;
    double high = 0;
    for (const ChannelSpread& spread : spreads.channels) {
        low = std::min(low, spread.bent(spread.mean - deviations * spread.deviation));
        high = std::max(high, spread.bent(spread.mean + deviations * spread.deviation));
    }
    return FrozenRange{float(low), float(high > low ? high : low + 1)};
}

// Returns all ranges, measured on all samples.
Result<std::vector<FrozenRange>> observe(const GraphPtr& graph,
                                         const std::vector<MeasuredRange>& places,
                                         const Options& options, const PassArgs& args,
                                         const Job& job)
{
    ASSIGN_OR_RETURN(const Samples samples, Samples::make(*graph, args.inputs, options.samples));
    const std::vector<std::string> tensors = tensorsToMeasure(*graph, places);
    std::vector<ValueHistogram> values(places.size());
    const auto each = [&](void (ValueHistogram::*add)(std::span<const float>)) {
        return runSamples(
            graph, samples, tensors,
            [&](std::span<const Value> answer) {
                const auto floats = measuredFloats(places, answer);
                for (std::size_t i = 0; i < places.size(); ++i)
                    (values[i].*add)(floats[i]);
            },
            job);
    };
    RETURN_IF_ERROR(each(&ValueHistogram::addExtremes));
    if (needsCounts(options.method))
        RETURN_IF_ERROR(each(&ValueHistogram::addCounts));
    std::vector<FrozenRange> ranges;
    for (const ValueHistogram& histogram : values)
        ranges.push_back(histogram.range(options.method, options.percentile));
    return ranges;
}

struct Found {
    std::vector<MeasuredRange> places; // ranges that can be frozen
    std::vector<FrozenRange> ranges;   // of the method "statistics"
};

Result<Found> lookFor(const GraphPtr& graph, const PassArgs& args, const Options& options,
                      Findings* findings)
{
    Found found;
    for (MeasuredRange& place : measuredRanges(*graph, args)) {
        if (place.why.empty() && options.method == RangeMethod::Statistics) {
            auto range = rangeOfStatistics(*graph, place, options);
            if (range)
                found.ranges.push_back(*range);
            else
                place.why = range.error().message;
        }
        if (findings != nullptr)
            findings->push_back({{place.head}, place.why});
        if (place.why.empty())
            found.places.push_back(std::move(place));
    }
    return found;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto options = optionsOf(args.parameters);
    if (!options)
        return options.error().within("freeze_ranges");
    ASSIGN_OR_RETURN(auto found, lookFor(graph, args, *options, nullptr));
    if (found.places.empty())
        return GraphEdit(graph).finish();
    if (options->method != RangeMethod::Statistics) {
        auto ranges = observe(graph, found.places, *options, args, job);
        if (!ranges)
            return ranges.error().within("freeze_ranges");
        found.ranges = *std::move(ranges);
    }
    FrozenRanges sums;
    for (std::size_t i = 0; i < found.places.size(); ++i)
        if (found.places[i].isRequantized)
            sums[std::string(graph->node(found.places[i].head).name())] = found.ranges[i];
    EditChain chain(graph);
    RETURN_IF_ERROR(chain.apply(freezeMeasured(graph, found.places, found.ranges, args)));
    RETURN_IF_ERROR(chain.apply(freezeRanges(chain.graph(), sums, args)));
    return std::move(chain).finish();
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    const auto options = optionsOf(args.parameters);
    if (!options)
        return options.error().within("freeze_ranges");
    Findings findings;
    RETURN_IF_ERROR(lookFor(graph, args, *options, &findings));
    return findings;
}

} // namespace

const Pass passes::freezeRanges{
    .name = "freeze_ranges",
    .summary = "Replaces the ranges that an 8-bit graph measures at run time by constants, from "
               "samples or batch normalizations.",
    .before = "q = QuantizeV2(x, Min(x), Max(x))",
    .after = "q = QuantizeV2(x, min, max), two Const",
    .declines = "Ranges that something else reads too, and those that are inputs or outputs. With "
                "statistics also ranges that do not follow a folded normalization, with only "
                "activations and pools between. "
                "Pictures are made up only where the input takes pictures of a known range.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
