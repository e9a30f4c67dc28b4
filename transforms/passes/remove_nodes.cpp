// SPDX-License-Identifier: Apache-2.0
// remove_nodes
//
// Readers of a removed node read its first data input and wait for its control inputs. Nodes that
// are inputs or outputs stay, as do those whose other outputs are read. max_inputs also removes
// nodes with more data inputs; the side inputs stay in the graph.
#include "transforms/match/pattern.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "op",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "the op to remove; \"A|B\" for several",
                  .isRequired = true,
                  .isRepeated = true},
    ParameterSpec{.name = "max_inputs",
                  .type = ParameterType::Int32,
                  .defaultText = "1",
                  .help = "maximum number of data inputs of a removed node"},
};

// The nodes to remove: their op and their number of inputs.
struct Removal {
    std::string op; // as in a Pattern
    std::int32_t inputs = 1;
    std::set<std::string, std::less<>> kept; // names of inputs and outputs
};

// Returns why a node stays; empty if it is removed.
std::string reasonToStay(const Graph& graph, NodeId id, const Removal& removal)
{
    if (removal.kept.contains(graph.node(id).name()))
        return "it is an input or output of the model";
    if (std::ranges::any_of(graph.consumers(id), [](const Consumer& c) { return c.port > 0; }))
        return "its other outputs are read";
    return "";
}

// Returns the nodes of the data inputs of a node; none if there are fewer.
std::vector<NodeId> dataInputs(const Graph& graph, NodeId id, std::int32_t count)
{
    std::vector<NodeId> from;
    for (const Endpoint& input : graph.inputs(id))
        if (!input.isControl())
            from.push_back(input.node);
    const bool fits = std::int64_t(from.size()) == count &&
                      std::ranges::all_of(from, [](NodeId node) { return node.isValid(); });
    return fits ? from : std::vector<NodeId>();
}

// In the original a match claims a node and what it reads, so that of consecutive nodes every other
// one is removed in a round, and one of those with the same input. Here the latter are removed at
// once, except those after one that is kept, which the original reaches first in some later round.
class RemovalRound {
public:
    RemovalRound(const GraphPtr& graph, const Removal& removal, Findings* findings)
        : m_graph(*graph)
        , m_removal(removal)
        , m_findings(findings)
        , m_edit(graph)
        , m_claims(graph->size(), Claim::None)
        , m_sources(graph->size())
    {
    }

    Result<EditResult> run(const Job& job)
    {
        ASSIGN_OR_RETURN(const auto matches, findMatches(m_graph, {m_removal.op, {}}, job));
        for (const Match& match : matches)
            take(match.node);
        return std::move(m_edit).finish();
    }

private:
    enum class Claim : std::uint8_t { None, Read, Gone, Kept };

    Claim& claim(NodeId id) { return m_claims[id.value]; }

    // Returns the node to read instead after all nodes are removed.
    NodeId behind(NodeId id) const
    {
        return m_sources[id.value].isValid() ? m_sources[id.value] : id;
    }

    void take(NodeId id)
    {
        const std::vector<NodeId> from = dataInputs(m_graph, id, m_removal.inputs);
        if (from.empty())
            return;
        const bool isFree =
            claim(id) == Claim::None &&
            std::ranges::all_of(from, [this](NodeId node) { return claim(node) == Claim::None; });
        if (std::string why = reasonToStay(m_graph, id, m_removal); why.empty())
            remove(id, from, isFree);
        else
            keep(id, from, isFree, std::move(why));
    }

    void keep(NodeId id, const std::vector<NodeId>& from, bool isFree, std::string why)
    {
        for (const NodeId node : from)
            if (Claim& read = claim(isFree ? node : behind(node)); isFree || read != Claim::None)
                read = Claim::Kept;
        if (!isFree)
            return;
        claim(id) = Claim::Kept;
        if (m_findings != nullptr)
            m_findings->push_back({{id}, std::move(why)});
    }

    void remove(NodeId id, const std::vector<NodeId>& from, bool isFree)
    {
        m_sources[id.value] = behind(from[0]);
        const auto isShared = [this](NodeId node) { return claim(node) <= Claim::Read; };
        if (!isFree && (claim(id) != Claim::None || !std::ranges::all_of(from, isShared)))
            return;
        claim(id) = Claim::Gone;
        for (const NodeId node : from)
            claim(node) = Claim::Read;
        if (m_findings != nullptr)
            m_findings->push_back({{id}, ""});
        m_edit.countPlaces(1);
        m_edit.bypass(id, "removed; its consumers read its input");
        m_edit.moveTo(from[0], id);
    }

    const Graph& m_graph;
    const Removal& m_removal;
    Findings* m_findings;
    GraphEdit m_edit;
    std::vector<Claim> m_claims;   // by node
    std::vector<NodeId> m_sources; // by removed node: the node to read instead
};

// Removes nodes round after round; nodes that stay are found in the last round.
Status removeAll(EditChain& chain, const Removal& removal, const Job& job, Findings* findings)
{
    for (std::size_t removed = 1; removed > 0;) {
        Findings some;
        RemovalRound all(chain.graph(), removal, findings != nullptr ? &some : nullptr);
        auto round = all.run(job);
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
        for (std::int32_t inputs = 1; inputs <= std::min(most, 1024); ++inputs)
            RETURN_IF_ERROR(removeAll(chain, {op, inputs, interfaceNodes(args)}, job, findings));
    return std::move(chain).finish();
}

} // namespace

const Pass passes::removeNodes{
    .name = "remove_nodes",
    .summary = "Removes the nodes of an op and connects their consumers to their input.",
    .before = "i = Identity(x)\n"
              "y = Relu(i)",
    .after = "y = Relu(x), with op=Identity",
    .declines = "Inputs and outputs of the model, nodes whose other outputs are read, and nodes "
                "with more than max_inputs data inputs.",
    .differences = "Readers wait for the control inputs of what is gone, and side inputs stay in "
                   "the graph; the original loses them, or leaves inputs that do not exist.",
    .parameters = parameters,
    .find = OneWalk<removeByOps>::find,
    .run = OneWalk<removeByOps>::run,
};

} // namespace lapidary
