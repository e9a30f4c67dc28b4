// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/likely_choice.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr double likely = 0.5;
constexpr double allButCertain = 0.97;

template <class Accept>
std::vector<ChosenTensor> likelyTensors(const std::vector<Candidate>& candidates, Accept accept)
{
    std::vector<ChosenTensor> chosen;
    for (const Candidate& c : candidates)
        if (chosen.empty() || (c.score >= likely && accept(c)))
            chosen.push_back({c.node, c.tensor, c.dtype, c.shape});
    return chosen;
}

bool isRead(const Graph& graph, NodeId node)
{
    return std::ranges::any_of(graph.consumers(node),
                               [](const Consumer& reader) { return !reader.isControl(); });
}

} // namespace

InterfaceChoice likelyChoice(const Graph& graph, const InterfaceGuess& guess)
{
    return {likelyTensors(guess.inputs, [](const Candidate&) { return true; }),
            likelyTensors(guess.outputs, [&graph](const Candidate& c) {
                return c.score >= allButCertain || !isRead(graph, c.node);
            })};
}

} // namespace lapidary
