// SPDX-License-Identifier: Apache-2.0
// remove_nodes
//
// Readers of a removed node read its first data input and wait for its control inputs. Nodes that
// are inputs or outputs stay, as do those whose other outputs are read. max_inputs lets nodes with
// more data inputs go as well; the side inputs stay in the graph.
#include "graph_model/graph/node_flags.h"
#include "transforms/match/pattern.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "op",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "the op to remove; several by \"A|B\"",
                  .isRequired = true,
                  .isRepeated = true},
    ParameterSpec{.name = "max_inputs",
                  .type = ParameterType::Int32,
                  .defaultText = "1",
                  .help = "the most data inputs that a removed node may have"},
};

// What goes, by its op and by how much it reads.
struct Removal {
    std::string op; // as in a Pattern
    std::int32_t mostInputs = 1;
    std::set<std::string, std::less<>> kept; // names of inputs and outputs
};

// Returns why a node stays; empty if it goes.
std::string reasonToStay(const Graph& graph, NodeId id, const Removal& removal)
{
    if (removal.kept.contains(graph.node(id).name()))
        return "it is an input or output of the model";
    if (std::ranges::any_of(graph.consumers(id), [](const Consumer& c) { return c.port > 0; }))
        return "its other outputs are read";
    return "";
}

// The first data input of a node that reads as much as may go; invalid for others.
NodeId passedOn(const Graph& graph, NodeId id, std::int32_t mostInputs)
{
    const auto inputs = graph.inputs(id);
    const auto data = std::ranges::count_if(inputs, std::not_fn(&Endpoint::isControl));
    if (data < 1 || data > mostInputs)
        return {};
    return std::ranges::find_if(inputs, std::not_fn(&Endpoint::isControl))->node;
}

// Of a chain every other node goes in one round, so that half as many are left for the next one and
// no reader has far to look.
Result<EditResult> removeRound(const GraphPtr& graph, const Removal& removal, const Job& job,
                               Findings* findings)
{
    ASSIGN_OR_RETURN(const auto matches, findMatches(*graph, {removal.op, {}}, job));
    GraphEdit edit(graph);
    NodeFlags isGone(graph->size(), false);
    for (const Match& match : matches) {
        const NodeId from = passedOn(*graph, match.node, removal.mostInputs);
        if (!from.isValid() || isGone[from.value])
            continue;
        std::string why = reasonToStay(*graph, match.node, removal);
        const bool stays = !why.empty();
        if (findings != nullptr)
            findings->push_back({{match.node}, std::move(why)});
        if (stays)
            continue;
        isGone[match.node.value] = true;
        edit.countPlaces(1);
        edit.bypass(match.node, "removed; its readers read what it passed on");
        edit.moveTo(from, match.node);
    }
    return std::move(edit).finish();
}

// Round after round; nodes that stay are found in the last one.
Status removeAll(EditChain& chain, const Removal& removal, const Job& job, Findings* findings)
{
    for (std::size_t removed = 1; removed > 0;) {
        Findings some;
        auto round =
            removeRound(chain.graph(), removal, job, findings != nullptr ? &some : nullptr);
        RETURN_IF_ERROR(round);
        const bool isLast = round->changes == 0;
        for (Finding& finding : chain.inBase(std::move(some)))
            if (finding.why.empty() || isLast)
                findings->push_back(std::move(finding));
        ASSIGN_OR_RETURN(removed, chain.apply(std::move(round)));
    }
    return Done{};
}

Result<EditResult> removeByOps(const GraphPtr& graph, const PassArgs& args, const Job& job,
                               Findings* findings)
{
    const std::vector<std::string> ops = args.parameters.all("op");
    if (ops.empty())
        return Error{ErrorCode::InvalidArgument,
                     "remove_nodes needs the parameter op, as in remove_nodes(op=Identity)"};
    ASSIGN_OR_RETURN(const auto most, args.parameters.oneInt32("max_inputs", 1));
    EditChain chain(graph);
    for (const std::string& op : ops)
        RETURN_IF_ERROR(removeAll(chain, {op, most, interfaceNodes(args)}, job, findings));
    return std::move(chain).finish();
}

} // namespace

const Pass passes::removeNodes{
    .name = "remove_nodes",
    .summary = "Removes nodes of an op that only pass on their input.",
    .before = "i = Identity(x)\n"
              "y = Relu(i)",
    .after = "y = Relu(x), with op=Identity",
    .declines = "Inputs and outputs of the model, nodes whose other outputs are read, and nodes "
                "with more than max_inputs data inputs.",
    .differences = "Readers wait for the control inputs of what is gone, and side inputs stay in "
                   "the graph; the original loses them, or leaves inputs that do not exist. Nodes "
                   "that read what an output of the op reads go, too.",
    .parameters = parameters,
    .find = OneWalk<removeByOps>::find,
    .run = OneWalk<removeByOps>::run,
};

} // namespace lapidary
