// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/saver_results.h"

#include "graph_model/interface/first_readers.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/interface/output_signs.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// What becomes of a value and of its copies on other devices.
struct Use {
    bool isSaved = false;
    bool isComputedWith = false;
};

Use useOf(const Graph& graph, NodeId id)
{
    constexpr std::size_t mostCopies = 64;
    Use use;
    std::vector<NodeId> copies{id};
    for (std::size_t i = 0; i < copies.size(); ++i)
        for (const Consumer& reader : firstReaders(graph, copies[i])) {
            if (reader.isControl())
                continue;
            const std::string_view op = graph.node(reader.node).op();
            if (opEffect(op) == OpEffect::Save)
                use.isSaved = true;
            else if (!isPassThrough(op) || copies.size() >= mostCopies)
                use.isComputedWith = true;
            else
                copies.push_back(reader.node);
        }
    return use;
}

bool isResult(const Graph& graph, const NodeParts& parts, NodeId id)
{
    const Part part = parts.of[id.value];
    const std::string_view op = graph.node(id).op();
    return (part == Part::Network || part == Part::Loss) && !isConstant(op) && !isVariable(op) &&
           !readsVariable(graph, id);
}

} // namespace

void markSaverResults(const Graph& graph, const NodeParts& parts, std::vector<Weighed>& all)
{
    const bool hasResults = std::ranges::any_of(all, [&](const Weighed& weighed) {
        return isResult(graph, parts, weighed.candidate.node);
    });
    for (Weighed& weighed : all) {
        const NodeId id = weighed.candidate.node;
        const bool serves = parts.of[id.value] == Part::Saving;
        const bool isValue = readsVariable(graph, id);
        const Use use = isValue ? useOf(graph, id) : Use();
        weighed.candidate.isOfSaver =
            isValue ? (use.isSaved && serves) || (hasResults && (serves || !use.isComputedWith))
                    : serves;
    }
}

} // namespace lapidary
