// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/likely_choice.h"

#include "graph_model/base/text.h"
#include "graph_model/graph/node_flags.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace lapidary {
namespace {

constexpr double likely = 0.5;
constexpr double allButCertain = 0.97;
constexpr double clearGap = 1.6; // points below the best candidate

double evidence(const Candidate& candidate)
{
    return std::log(candidate.score / std::max(bestGuess - candidate.score, 1e-9));
}

// Returns the tensors of a signature, if there is one; measures are left out if it has other
// results. Otherwise returns likely and accepted ones, and always the best, unless it is for a
// saver.
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

std::vector<NodeId> nodesOf(const std::vector<ChosenTensor>& tensors)
{
    std::vector<NodeId> nodes;
    std::ranges::transform(tensors, std::back_inserter(nodes), &ChosenTensor::node);
    return nodes;
}

std::vector<ChosenTensor> withoutDerived(const Graph& graph, std::vector<ChosenTensor> inputs)
{
    const std::set<NodeId> derived = derivedInputs(graph, nodesOf(inputs));
    std::erase_if(inputs, [&](const ChosenTensor& input) { return derived.contains(input.node); });
    return inputs;
}

// Flags everything that `outputs` are computed from, except nodes that only `fed` nodes read.
NodeFlags neededFor(const Graph& graph, const std::vector<NodeId>& outputs, const NodeFlags& fed)
{
    NodeFlags needed(graph.size(), false);
    std::vector<NodeId> open;
    const auto visit = [&](NodeId id) {
        if (!id.isValid() || needed[id.value])
            return;
        needed[id.value] = true;
        open.push_back(id);
    };
    std::ranges::for_each(outputs, visit);
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

// Chooses the likely inputs, and every other placeholder that the outputs need, for example one
// that is only read by an assertion for which the outputs wait. Variables cannot be fed.
std::vector<ChosenTensor> guessedInputs(const Graph& graph,
                                        const std::vector<Candidate>& candidates,
                                        const std::vector<NodeId>& outputs)
{
    std::vector<ChosenTensor> inputs = likelyInputs(graph, candidates);
    NodeFlags chosen(graph.size(), false);
    for (const ChosenTensor& input : inputs)
        if (input.node.isValid())
            chosen[input.node.value] = true;
    const NodeFlags needed = neededFor(graph, outputs, chosen);
    for (const Candidate& c : candidates)
        if (c.node.isValid() && needed[c.node.value] && !chosen[c.node.value] &&
            graph.node(c.node).op() == "Placeholder" && c.dtype != DType::Resource) {
            chosen[c.node.value] = true;
            inputs.push_back({c.node, c.tensor, c.dtype, c.shape});
        }
    return inputs;
}

// Chooses the inputs of the signature, unless no output depends on them but on others.
std::vector<ChosenTensor> servedInputs(const Graph& graph, const InterfaceGuess& guess,
                                       const std::vector<NodeId>& outputs)
{
    std::vector<NodeId> named;
    for (const Candidate& c : guess.inputs)
        if (c.isServed)
            named.push_back(c.node);
    std::vector<ChosenTensor> others;
    if (areNamedInVain(graph, named, outputs))
        others = inputsInPlace(graph, guess, outputs);
    return others.empty() ? likelyInputs(graph, guess.inputs) : others;
}

} // namespace

bool areNamedInVain(const Graph& graph, const std::vector<NodeId>& inputs,
                    const std::vector<NodeId>& outputs)
{
    if (inputs.empty())
        return false;
    const NodeFlags needed = neededFor(graph, outputs, NodeFlags(graph.size(), false));
    return std::ranges::none_of(inputs,
                                [&](NodeId id) { return id.isValid() && needed[id.value]; });
}

std::vector<ChosenTensor> inputsInPlace(const Graph& graph, const InterfaceGuess& guess,
                                        const std::vector<NodeId>& outputs)
{
    const NodeFlags needed = neededFor(graph, outputs, NodeFlags(graph.size(), false));
    std::vector<Candidate> leading = guess.inputs;
    std::erase_if(leading,
                  [&](const Candidate& c) { return !c.node.isValid() || !needed[c.node.value]; });
    if (std::ranges::none_of(leading, [](const Candidate& c) { return c.score >= likely; }))
        return {};
    for (Candidate& c : leading)
        c.isServed = false; // named by another signature
    return guessedInputs(graph, leading, outputs);
}

std::vector<std::string> vainInputs(const InterfaceGuess& guess, const InterfaceChoice& choice)
{
    std::vector<std::string> vain;
    for (const Candidate& c : guess.inputs)
        if (c.isServed)
            vain.push_back(c.tensor);
    const auto isChosen = [&](const std::string& tensor) {
        return std::ranges::find(choice.inputs, tensor, &ChosenTensor::tensor) !=
               choice.inputs.end();
    };
    return std::ranges::any_of(vain, isChosen) ? std::vector<std::string>() : vain;
}

std::string vainInputsText(const std::vector<std::string>& vain,
                           const std::vector<std::string>& fed)
{
    if (vain.empty())
        return {};
    return "no output depends on the inputs of the signature (" + listed(vain) +
           "); fed in their place: " + listed(fed);
}

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
                        ? servedInputs(graph, guess, nodesOf(choice.outputs))
                        : guessedInputs(graph, guess.inputs, nodesOf(choice.outputs));
    return choice;
}

} // namespace lapidary
