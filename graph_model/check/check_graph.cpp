#include "graph_model/check/check_graph.h"

#include "graph_model/base/printable.h"
#include "graph_model/check/check_context.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t maxQuoted = 160;

void checkVersions(const Graph& graph, ProblemList& problems)
{
    const GraphVersions& versions = graph.versions();
    const auto report = [&](std::string message) {
        problems.add("version", Severity::Error, "", std::move(message));
    };
    if (versions.producer < 0)
        report("The graph's producer version is " + std::to_string(versions.producer) +
               ", below 0, the first that there was");
    if (versions.minConsumer > knownGraphVersion)
        report("The graph asks for a TensorFlow of graph version " +
               std::to_string(versions.minConsumer) + " or later; 1.15.5 has " +
               std::to_string(knownGraphVersion));
    if (std::ranges::find(versions.badConsumers, knownGraphVersion) != versions.badConsumers.end())
        report("The graph forbids graph version " + std::to_string(knownGraphVersion) +
               ", that of TensorFlow 1.15.5");
}

} // namespace

void CheckContext::report(std::string_view kind, Severity severity, NodeId node,
                          std::string message)
{
    problems.add(kind, severity, place.scope + std::string(graph.node(node).name()),
                 std::move(message));
}

std::string quoted(std::string_view text)
{
    if (text.size() <= maxQuoted)
        return "'" + printable(text) + "'";
    return "'" + printable(text.substr(0, maxQuoted / 2)) + "…" +
           printable(text.substr(text.size() - maxQuoted / 2)) + "'";
}

Problems checkGraph(const Graph& graph, const Job& job)
{
    ProblemList problems;
    OpTable ops(graph.functions());
    checkVersions(graph, problems);
    checkNodes(graph, ops, {"", graph.versions().producer, false}, problems, job);
    if (graph.functions() != nullptr)
        checkLibrary(*graph.functions(), ops, graph.versions().producer, problems, job);
    return std::move(problems).take();
}

void checkNodes(const Graph& graph, OpTable& ops, const Place& place, ProblemList& problems,
                const Job& job)
{
    CheckContext context{graph, ops, problems, job, {}, place};
    context.specs.reserve(graph.size());
    for (const NodePtr& node : graph.nodes())
        context.specs.push_back(ops.find(node->op()));
    for (const auto check : {checkNames, checkInputs, checkCycles, checkAttrs, checkShapes})
        if (!job.cancelled())
            check(context);
}

} // namespace lapidary
