// freeze_requantization_ranges
//
//   before:  Requantize(q:0, q:1, q:2, range:0, range:1)
//   after:   Requantize(q:0, q:1, q:2, range/frozen_min, range/frozen_max), two constants
//
// The ranges come from the log of runs of a graph made by insert_logging. Records are sorted and
// the given percentage is cut off at each end. A range that is an input or output of the model
// stays measured.
#include "transforms/pass/const_node.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/range_log.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "min_max_log_file",
                  .type = "string",
                  .help = "the log with lines of __requant_min_max",
                  .isRequired = true},
    ParameterSpec{.name = "min_percentile",
                  .type = "float",
                  .defaultText = "5",
                  .help = "percent of the lowest minima to leave out"},
    ParameterSpec{.name = "max_percentile",
                  .type = "float",
                  .defaultText = "5",
                  .help = "percent of the highest maxima to leave out"},
};

Result<std::map<std::string, FrozenRange>> readRanges(const Parameters& given)
{
    const auto file = given.oneString("min_max_log_file", "");
    if (!file)
        return file.error();
    if (file.value().empty())
        return Error{ErrorCode::InvalidArgument,
                     "freeze_requantization_ranges needs the parameter min_max_log_file"};
    const auto low = given.oneFloat("min_percentile", 5);
    if (!low)
        return low.error();
    const auto high = given.oneFloat("max_percentile", 5);
    if (!high)
        return high.error();
    return frozenRanges(file.value(), low.value(), high.value());
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

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    const auto ranges = readRanges(args.parameters);
    if (!ranges)
        return ranges.error();
    const auto kept = interfaceNodes(args);
    GraphEdit edit(graph);
    for (const auto& [name, range] : ranges.value()) {
        const NodeId id = graph->find(name);
        if (!id.isValid())
            return Error{ErrorCode::InvalidArgument,
                         "the log names " + name + ", which is not in the graph"};
        if (graph->node(id).op() != "RequantizationRange")
            return Error{ErrorCode::InvalidArgument,
                         name + ": the log gives a range, but it is a " +
                             std::string(graph->node(id).op()) + ", not a RequantizationRange"};
        if (!kept.contains(name))
            freeze(edit, graph->node(id), id, range);
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::freezeRequantizationRanges{
    .name = "freeze_requantization_ranges",
    .summary = "Replaces measured ranges by constants from the log of earlier runs.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
