// SPDX-License-Identifier: Apache-2.0
#include "transforms/recipe/step_check.h"

#include "graph_model/check/check_context.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

// Finds nodes that are colocated with one that does not exist.
Problems colocationProblems(const CheckContext& graph)
{
    ProblemList list;
    CheckContext context{graph.graph, graph.ops, list, graph.job, graph.specs, graph.place, {}};
    context.isFaulty.resize(graph.graph.size());
    checkNames(context);
    Problems problems = std::move(list).take();
    std::erase_if(problems,
                  [](const Problem& problem) { return problem.kind != "dangling_colocation"; });
    return problems;
}

Problems wiringProblems(const Graph& graph, const Job& job)
{
    ProblemList list;
    OpTable ops(graph.functions());
    CheckContext context{graph, ops, list, job, {}, {"", graph.versions().producer, false}};
    context.specs.reserve(graph.size());
    context.isFaulty.resize(graph.size());
    for (const NodePtr& node : graph.nodes())
        context.specs.push_back(ops.find(node->op()));
    checkInputs(context);
    checkCycles(context);
    Problems problems = std::move(list).take();
    std::erase_if(problems,
                  [](const Problem& problem) { return problem.severity != Severity::Error; });
    for (Problem& problem : colocationProblems(context))
        problems.push_back(std::move(problem));
    return problems;
}

} // namespace

std::string stepFault(const Graph& before, const Graph& after, const Job& job,
                      const Lineage& lineage)
{
    const Problems now = wiringProblems(after, job);
    if (now.empty())
        return "";
    std::set<std::string> known;
    for (const Problem& problem : wiringProblems(before, job))
        known.insert(problem.kind + ' ' + problem.node);
    const auto isKnown = [&](const Problem& problem) {
        if (known.contains(problem.kind + ' ' + problem.node))
            return true;
        const NodeId id = after.find(problem.node);
        return id.isValid() && id.value < lineage.origins.size() &&
               std::ranges::any_of(lineage.origins[id.value], [&](NodeId origin) {
                   return known.contains(problem.kind + ' ' +
                                         std::string(before.node(origin).name()));
               });
    };
    const auto fresh = std::ranges::find_if_not(now, isKnown);
    return fresh == now.end() ? "" : fresh->node + ": " + fresh->message;
}

} // namespace lapidary
