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
// one, takes what is likely and accepted, and the best in any case but of what a saver is told.
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
    const auto isTaken = [&](const Candidate& c) {
        return !c.isOfSaver && (chosen.empty() || (c.score >= likely && accept(c)));
    };
    for (const Candidate& c : candidates)
        if (isServed ? isNamed(c) : isTaken(c))
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

// Flags everything that `outputs` are computed from, but nothing that only `fed` nodes read.
NodeFlags neededFor(const Graph& graph, const std::vector<ChosenTensor>& outputs,
                    const NodeFlags& fed)
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
        if (fed[id.value])
            continue;
        for (const Endpoint& input : graph.inputs(id))
            visit(input.node);
    }
    return needed;
}

std::vector<ChosenTensor> likelyInputs(const Graph& graph, const std::vector<Candidate>& candidates)
{
    return withoutDerived(graph, likelyTensors(candidates, [](const Candidate&) { return true; }));
}

// Chooses the inputs of the signature; if the outputs do not depend on any of them, the likely
// inputs that they do depend on.
std::vector<ChosenTensor> servedInputs(const Graph& graph, const InterfaceGuess& guess,
                                       const std::vector<ChosenTensor>& outputs)
{
    const NodeFlags needed = neededFor(graph, outputs, NodeFlags(graph.size(), false));
    const auto leads = [&](const Candidate& c) { return c.node.isValid() && needed[c.node.value]; };
    const auto isFed = [&](const Candidate& c) {
        return !c.isServed && c.score >= likely && leads(c);
    };
    std::vector<Candidate> inputs = guess.inputs;
    const bool isNamedInVain =
        std::ranges::none_of(inputs, [&](const Candidate& c) { return c.isServed && leads(c); });
    if (isNamedInVain && std::ranges::any_of(inputs, isFed))
        std::erase_if(inputs, [&](const Candidate& c) { return !isFed(c); });
    return likelyInputs(graph, inputs);
}

// Chooses the likely inputs, and every other placeholder that the outputs cannot be computed
// without: one that only an assertion reads, for example, that the outputs wait for. Nobody can
// feed a variable.
std::vector<ChosenTensor> guessedInputs(const Graph& graph, const InterfaceGuess& guess,
                                        const std::vector<ChosenTensor>& outputs)
{
    std::vector<ChosenTensor> inputs = likelyInputs(graph, guess.inputs);
    NodeFlags chosen(graph.size(), false);
    for (const ChosenTensor& input : inputs)
        if (input.node.isValid())
            chosen[input.node.value] = true;
    const NodeFlags needed = neededFor(graph, outputs, chosen);
    for (const Candidate& c : guess.inputs)
        if (c.node.isValid() && needed[c.node.value] && !chosen[c.node.value] &&
            graph.node(c.node).op() == "Placeholder" && c.dtype != DType::Resource) {
            chosen[c.node.value] = true;
            inputs.push_back({c.node, c.tensor, c.dtype, c.shape});
        }
    return inputs;
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
    choice.inputs = std::ranges::any_of(guess.inputs, &Candidate::isServed)
                        ? servedInputs(graph, guess, choice.outputs)
                        : guessedInputs(graph, guess, choice.outputs);
    return choice;
}

} // namespace lapidary
