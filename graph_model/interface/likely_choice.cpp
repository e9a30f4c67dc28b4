// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/likely_choice.h"

#include "graph_model/graph/node_flags.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lapidary {
namespace {

constexpr double likely = 0.5;
constexpr double allButCertain = 0.97;
constexpr double clearGap = 1.6; // points between what is chosen and the best

double evidence(const Candidate& candidate)
{
    return std::log(candidate.score / std::max(bestGuess - candidate.score, 1e-9));
}

// A signature says exactly what is in it; measures are not results where it has others. Without
// one, takes what is likely and accepted, and the best in any case.
template <class Accept>
std::vector<ChosenTensor> likelyTensors(const std::vector<Candidate>& candidates, Accept accept)
{
    const bool isServed = std::ranges::any_of(candidates, &Candidate::isServed);
    const bool hasResults = std::ranges::any_of(
        candidates, [](const Candidate& c) { return c.isServed && !c.isMeasure; });
    const auto isNamed = [hasResults](const Candidate& c) {
        return c.isServed && !(hasResults && c.isMeasure);
    };
    std::vector<ChosenTensor> chosen;
    for (const Candidate& c : candidates)
        if (isServed ? isNamed(c) : chosen.empty() || (c.score >= likely && accept(c)))
            chosen.push_back({c.node, c.tensor, c.dtype, c.shape});
    return chosen;
}

bool isRead(const Graph& graph, NodeId node)
{
    return std::ranges::any_of(graph.consumers(node),
                               [](const Consumer& reader) { return !reader.isControl(); });
}

std::vector<ChosenTensor> withoutDerived(const Graph& graph, std::vector<ChosenTensor> inputs)
{
    std::vector<NodeId> nodes;
    for (const ChosenTensor& input : inputs)
        nodes.push_back(input.node);
    const std::set<NodeId> derived = derivedInputs(graph, nodes);
    std::erase_if(inputs, [&](const ChosenTensor& input) { return derived.contains(input.node); });
    return inputs;
}

// Everything that `outputs` are computed from, not looking behind `fed`.
NodeFlags neededFor(const Graph& graph, const std::vector<ChosenTensor>& outputs,
                    const std::vector<ChosenTensor>& fed = {})
{
    NodeFlags needed(graph.size(), false);
    std::vector<NodeId> open;
    const auto visit = [&](NodeId id) {
        if (!id.isValid() || needed[id.value])
            return;
        needed[id.value] = true;
        open.push_back(id);
    };
    for (const ChosenTensor& output : outputs)
        visit(output.node);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (std::ranges::find(fed, id, &ChosenTensor::node) != fed.end())
            continue;
        for (const Endpoint& input : graph.inputs(id))
            visit(input.node);
    }
    return needed;
}

// A signature may name inputs from which nothing leads to what it returns: then the network is fed
// elsewhere.
std::vector<Candidate> inputsThatLead(const Graph& graph, const InterfaceGuess& guess,
                                      const std::vector<ChosenTensor>& outputs)
{
    const NodeFlags needed = neededFor(graph, outputs);
    const auto leads = [&](const Candidate& c) { return c.node.isValid() && needed[c.node.value]; };
    const auto isNamed = [](const Candidate& c) { return c.isServed; };
    const auto isNamedInVain = [&](const Candidate& c) { return c.isServed && !leads(c); };
    const auto isFed = [&](const Candidate& c) {
        return !c.isServed && c.score >= likely && leads(c);
    };
    const auto& all = guess.inputs;
    std::vector<Candidate> inputs = all;
    if (std::ranges::any_of(all, isFed) && std::ranges::any_of(all, isNamed) &&
        std::ranges::count_if(all, isNamed) == std::ranges::count_if(all, isNamedInVain))
        std::erase_if(inputs, [&](const Candidate& c) { return !isFed(c); });
    return inputs;
}

// Adds placeholders that the outputs cannot be computed without, however unlikely they look: what
// only a check reads, for example, that the outputs wait for.
void addNeeded(const Graph& graph, const InterfaceGuess& guess, InterfaceChoice& choice)
{
    if (std::ranges::any_of(guess.inputs, &Candidate::isServed))
        return;
    const NodeFlags needed = neededFor(graph, choice.outputs, choice.inputs);
    for (const Candidate& c : guess.inputs)
        if (c.node.isValid() && needed[c.node.value] && graph.node(c.node).op() == "Placeholder" &&
            std::ranges::find(choice.inputs, c.node, &ChosenTensor::node) == choice.inputs.end())
            choice.inputs.push_back({c.node, c.tensor, c.dtype, c.shape});
}

} // namespace

std::set<NodeId> derivedInputs(const Graph& graph, const std::vector<NodeId>& inputs)
{
    const std::set<NodeId> chosen(inputs.begin(), inputs.end());
    std::set<NodeId> derived;
    if (chosen.size() < 2)
        return derived;
    NodeFlags depends(graph.size(), false);
    for (const NodeId id : topologicalOrder(graph))
        for (const Endpoint& from : graph.inputs(id))
            if (from.node.isValid() && !from.isControl() &&
                (depends[from.node.value] || chosen.contains(from.node)))
                depends[id.value] = true;
    for (const NodeId id : chosen)
        if (id.isValid() && depends[id.value])
            derived.insert(id);
    return derived;
}

InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess)
{
    const double best = guess.outputs.empty() ? 0 : evidence(guess.outputs.front());
    InterfaceChoice choice;
    choice.outputs = likelyTensors(guess.outputs, [&graph, best](const Candidate& c) {
        const bool isEnd = !c.isMeasure && (c.isEnd || !isRead(graph, c.node));
        return c.score >= allButCertain || (isEnd && evidence(c) >= best - clearGap);
    });
    choice.inputs =
        withoutDerived(graph, likelyTensors(inputsThatLead(graph, guess, choice.outputs),
                                            [](const Candidate&) { return true; }));
    addNeeded(graph, guess, choice);
    return choice;
}

} // namespace lapidary
