// SPDX-License-Identifier: Apache-2.0
#include "transforms/inference/remove_training.h"

#include "graph_model/binding/node_signature.h"
#include "transforms/pass/edit_chain.h"

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::string_view checkOp = "CheckNumerics"; // the original removes no other check
constexpr std::string_view copyOp = "Identity";

bool isRemovedCheck(const Graph& graph, NodeId id, const NodeNames& kept)
{
    const auto inputs = graph.inputs(id);
    return graph.node(id).op() == checkOp && !kept.contains(graph.node(id).name()) &&
           !inputs.empty() && !inputs[0].isControl() && inputs[0].node.isValid() &&
           std::ranges::none_of(graph.consumers(id), [](const Consumer& c) { return c.port > 0; });
}

// The graph without checks: finds what their readers read instead.
class WithoutChecks {
public:
    WithoutChecks(const Graph& graph, const NodeNames& kept)
        : m_graph(graph)
        , m_isGone(graph.size(), false)
    {
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            m_isGone[i] = isRemovedCheck(graph, NodeId{i}, kept) && !isOnCycle(NodeId{i});
    }

    bool isGone(NodeId id) const { return m_isGone[id.value]; }

    // Returns the inputs of a node after the checks are removed.
    std::vector<std::string> inputsOf(NodeId id) const
    {
        std::vector<std::string> data;
        std::vector<std::string> controls;
        const Node& node = m_graph.node(id);
        for (std::size_t k = 0; k < node.inputs().size(); ++k) {
            const Endpoint& from = m_graph.inputs(id)[k];
            const std::string text(node.inputs()[k].text);
            const bool passes = from.node.isValid() && m_isGone[from.node.value];
            if (!passes)
                (from.isControl() ? controls : data).push_back(text);
            else
                follow(from, data, controls);
        }
        std::unordered_set<std::string> known(data.begin(), data.end());
        for (std::string& control : controls)
            if (known.insert(control).second)
                data.push_back(std::move(control));
        return data;
    }

private:
    // Returns whether a check reads itself through other checks: it has no value to pass on.
    bool isOnCycle(NodeId id) const
    {
        NodeId at = id;
        for (std::size_t steps = 0; steps <= m_graph.size(); ++steps) {
            const auto inputs = m_graph.inputs(at);
            if (m_graph.node(at).op() != checkOp || inputs.empty() || !inputs[0].node.isValid())
                return false;
            at = inputs[0].node;
            if (at == id)
                return true;
        }
        return true;
    }

    void follow(Endpoint from, std::vector<std::string>& data,
                std::vector<std::string>& controls) const
    {
        const bool isControl = from.isControl();
        std::string text;
        while (from.node.isValid() && m_isGone[from.node.value]) {
            const Node& check = m_graph.node(from.node);
            for (std::size_t k = 1; k < check.inputs().size(); ++k)
                if (check.inputs()[k].isControl())
                    controls.emplace_back(check.inputs()[k].text);
            text = check.inputs()[0].text;
            from = m_graph.inputs(from.node)[0];
        }
        if (!isControl)
            data.push_back(std::move(text));
    }

    const Graph& m_graph;
    std::vector<bool> m_isGone;
};

// Returns why an Identity stays; empty if it is removed. Checks are removed already.
std::string reasonToStay(const Graph& graph, NodeId id, const NodeNames& kept)
{
    if (kept.contains(graph.node(id).name()))
        return "it is an input or output of the model, or is to be kept";
    const auto inputs = graph.inputs(id);
    if (inputs.empty() || inputs[0].isControl() || !inputs[0].node.isValid())
        return "it has no input";
    if (std::ranges::any_of(inputs, &Endpoint::isControl))
        return "it has control inputs";
    for (const Consumer& consumer : graph.consumers(id)) {
        if (consumer.isControl())
            return "it has control outputs";
        if (consumer.port > 0)
            return "a consumer reads an output that it does not have";
    }
    const Node& from = graph.node(inputs[0].node);
    const OpSpec* op = findOp(from.op());
    const bool copies = op != nullptr && givesReference(from, *op, inputs[0].port);
    return copies ? "it copies a variable" : "";
}

Result<EditResult> removeChecks(const GraphPtr& graph, const NodeNames& kept, const Job& job)
{
    const WithoutChecks without(*graph, kept);
    GraphEdit edit(graph);
    std::size_t places = 0;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        const NodeId id{i};
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (without.isGone(id)) {
            edit.remove(id, "its consumers read its input directly");
            ++places;
            continue;
        }
        const bool reads = std::ranges::any_of(graph->inputs(id), [&](const Endpoint& from) {
            return from.node.isValid() && without.isGone(from.node);
        });
        if (!reads)
            continue;
        NodeDraft draft = NodeDraft::of(graph->node(id));
        draft.inputs = without.inputsOf(id);
        edit.replace(id, std::move(draft));
    }
    edit.countPlaces(places);
    return std::move(edit).finish();
}

Result<EditResult> removeCopies(const GraphPtr& graph, const NodeNames& kept)
{
    GraphEdit edit(graph);
    std::size_t places = 0;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (graph->node(NodeId{i}).op() != copyOp || !reasonToStay(*graph, NodeId{i}, kept).empty())
            continue;
        edit.bypass(NodeId{i}, "it only copies");
        ++places;
    }
    edit.countPlaces(places);
    return std::move(edit).finish();
}

} // namespace

Result<Findings> findTrainingNodes(const GraphPtr& graph, const NodeNames& kept, const Job& job)
{
    const WithoutChecks without(*graph, kept);
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (graph->node(NodeId{i}).op() == checkOp)
            findings.push_back(
                {{NodeId{i}},
                 without.isGone(NodeId{i}) ? "" : "it is to be kept, or has no input"});
    EditChain chain(graph);
    RETURN_IF_ERROR(chain.apply(removeChecks(graph, kept, job)));
    const Graph& unchecked = *chain.graph();
    Findings copies;
    for (std::uint32_t i = 0; i < unchecked.size(); ++i)
        if (unchecked.node(NodeId{i}).op() == copyOp)
            copies.push_back({{NodeId{i}}, reasonToStay(unchecked, NodeId{i}, kept)});
    for (Finding& copy : chain.inBase(std::move(copies)))
        findings.push_back(std::move(copy));
    return findings;
}

Result<EditResult> removeTrainingNodes(const GraphPtr& graph, const NodeNames& kept, const Job& job)
{
    EditChain chain(graph);
    RETURN_IF_ERROR(chain.apply(removeChecks(graph, kept, job)));
    RETURN_IF_ERROR(chain.apply(removeCopies(chain.graph(), kept)));
    return std::move(chain).finish();
}

} // namespace lapidary
