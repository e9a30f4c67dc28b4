// SPDX-License-Identifier: Apache-2.0
// freeze_requantization_ranges
//
// The ranges come from the log of runs of a graph made by insert_logging. Records are sorted and
// the given percentage is cut off at the minimum and the maximum. A range that is an input or
// output of the model stays measured.
#include "transforms/constants/const_node.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"
#include "transforms/quantize/freeze_ranges.h"

#include <array>
#include <utility>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "min_max_log_file",
                  .type = ParameterType::String,
                  .role = ParameterRole::File,
                  .help = "the log with __requant_min_max lines",
                  .isRequired = true},
    ParameterSpec{.name = "min_percentile",
                  .type = ParameterType::Float,
                  .defaultText = "5",
                  .help = "percentage of the lowest minima to leave out"},
    ParameterSpec{.name = "max_percentile",
                  .type = ParameterType::Float,
                  .defaultText = "5",
                  .help = "percentage of the highest maxima to leave out"},
    ParameterSpec{.name = "moving_average",
                  .type = ParameterType::Float,
                  .defaultText = "0",
                  .help = "decay of a moving average; 0: use percentiles"},
};

Result<FrozenRanges> readRanges(const Parameters& given)
{
    ASSIGN_OR_RETURN(const auto file, given.oneString("min_max_log_file", ""));
    if (file.empty())
        return Error{ErrorCode::InvalidArgument,
                     "freeze_requantization_ranges needs the parameter min_max_log_file"};
    RangeChoice choice;
    const std::pair<const char*, float*> numbers[] = {
        {"moving_average", &choice.movingAverage},
        {"min_percentile", &choice.minPercentile},
        {"max_percentile", &choice.maxPercentile},
    };
    for (const auto& [name, to] : numbers) {
        ASSIGN_OR_RETURN(const auto number, given.oneFloat(name, *to));
        *to = number;
    }
    RETURN_IF_ERROR(checkChoice({.movingAverage = choice.movingAverage}));
    return frozenRanges(file, choice);
}

void freeze(GraphEdit& edit, const Node& node, NodeId id, const FrozenRange& range)
{
    const std::string name(node.name());
    NodeDraft min = floatScalar(name + "/frozen_min", range.min);
    NodeDraft max = floatScalar(name + "/frozen_max", range.max);
    for (const Input& input : node.inputs()) {
        if (!input.isControl())
            continue;
        min.inputs.emplace_back(input.text);
        max.inputs.emplace_back(input.text);
    }
    edit.addAt(id, std::move(min), {id});
    edit.addAt(id, std::move(max), {id});
    edit.redirect(name, name + "/frozen_min:0");
    edit.redirect(name + ":1", name + "/frozen_max:0");
    edit.redirect("^" + name, "^" + name + "/frozen_min");
    edit.remove(id, "its range was frozen from the log");
}

// Returns the RequantizationRange that a record of the log names.
Result<NodeId> rangeNode(const Graph& graph, const std::string& name)
{
    const NodeId id = graph.find(name);
    if (!id.isValid())
        return Error{ErrorCode::InvalidArgument,
                     "the log names " + name + ", which is not in the graph"};
    if (graph.node(id).op() != "RequantizationRange")
        return Error{ErrorCode::InvalidArgument, name + ": the log gives a range, but it is a " +
                                                     std::string(graph.node(id).op()) +
                                                     ", not a RequantizationRange"};
    return id;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const auto ranges, readRanges(args.parameters));
    const auto kept = interfaceNodes(args);
    Findings findings;
    for (const auto& [name, range] : ranges) {
        ASSIGN_OR_RETURN(const auto id, rangeNode(*graph, name));
        findings.push_back(
            {{id}, kept.contains(name) ? "it is an input or output of the model" : ""});
    }
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    const auto ranges = readRanges(args.parameters);
    return ranges ? freezeRanges(graph, ranges.value(), args) : ranges.error();
}

} // namespace

Result<EditResult> freezeRanges(const GraphPtr& graph, const FrozenRanges& ranges,
                                const PassArgs& args)
{
    const auto kept = interfaceNodes(args);
    GraphEdit edit(graph);
    for (const auto& [name, range] : ranges) {
        ASSIGN_OR_RETURN(const auto id, rangeNode(*graph, name));
        if (kept.contains(name))
            continue;
        edit.countPlaces(1);
        freeze(edit, graph->node(id), id, range);
    }
    return std::move(edit).finish();
}

const Pass passes::freezeRequantizationRanges{
    .name = "freeze_requantization_ranges",
    .summary = "Replaces requantization ranges by constants from the log of earlier runs.",
    .before = "y = Requantize(q, q:1, q:2, range, range:1)",
    .after = "y = Requantize(q, q:1, q:2, range/frozen_min, range/frozen_max), two Const",
    .declines =
        "Ranges that are missing from the log, and those that are inputs or outputs. A name "
        "in the log that is not a RequantizationRange of the graph is an error.",
    .differences = "Control edges follow to the constants, and control inputs are kept; the "
                   "original leaves inputs that do not exist. A name that is taken is an error.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
