// SPDX-License-Identifier: Apache-2.0
#include "graph_model/check/check_graph.h"

#include "graph_model/check/check_context.h"
#include "graph_model/graph/dialect.h"

#include <algorithm>

namespace lapidary {
namespace {

void checkVersions(const Graph& graph, ProblemList& problems)
{
    const GraphVersions& versions = graph.versions();
    const auto report = [&](std::string message) {
        problems.add("version", Severity::Error, "", std::move(message));
    };
    if (versions.producer < 0)
        report("The graph's producer version is " + std::to_string(versions.producer) +
               ", which is below 0, the first version");
    if (versions.minConsumer > knownGraphVersion)
        report("The graph asks for a TensorFlow of graph version " +
               std::to_string(versions.minConsumer) + " or later; 1.15.5 has " +
               std::to_string(knownGraphVersion));
    if (std::ranges::find(versions.badConsumers, knownGraphVersion) != versions.badConsumers.end())
        report("The graph forbids graph version " + std::to_string(knownGraphVersion) +
               ", that of TensorFlow 1.15.5");
}

// Returns one sentence instead of an error for each missing constant.
Problems problemsElsewhere(Problems found, std::string_view described)
{
    std::erase_if(found,
                  [](const Problem& problem) { return problem.severity == Severity::Error; });
    Problem whole;
    whole.kind = "foreign_format";
    whole.message = "The graph " + std::string(described);
    found.insert(found.begin(), std::move(whole));
    return found;
}

// Checks the rules of wiring that all formats share: names, inputs, cycles. Other formats have
// other ops.
void checkWiring(const Graph& graph, OpTable& ops, const Place& place, ProblemList& problems,
                 const Job& job)
{
    CheckContext context{graph, ops, problems, job, {}, place, {}};
    context.isFaulty.resize(graph.size());
    context.specs.resize(graph.size());
    for (const auto check : {checkInputs, checkCycles})
        if (!job.cancelled())
            check(context);
}

Problems checkForeignGraph(const Graph& graph, const Job& job)
{
    ProblemList problems;
    OpTable ops(nullptr);
    checkWiring(graph, ops, {}, problems, job);
    if (graph.functions() != nullptr)
        for (const FunctionPtr& function : graph.functions()->functions)
            checkWiring(*function->body, ops, {std::string(function->name) + "/", 0, true},
                        problems, job);
    return std::move(problems).take();
}

} // namespace

Problems checkGraph(const Graph& graph, const Job& job)
{
    if (dialectOf(graph) != Dialect::TensorFlow)
        return checkForeignGraph(graph, job);
    ProblemList problems;
    OpTable ops(graph.functions());
    checkVersions(graph, problems);
    checkNodes(graph, ops, {"", graph.versions().producer, false}, problems, job);
    if (graph.functions() != nullptr)
        checkLibrary(*graph.functions(), ops, graph.versions().producer, problems, job);
    Problems found = std::move(problems).take();
    const std::string_view described = describedElsewhere(graph);
    return described.empty() ? found : problemsElsewhere(std::move(found), described);
}

// OpenCV's DNN module reads a text beside a frozen graph. It has the graph's layers, two of the
// module's own, and no constants.
std::string_view describedElsewhere(const Graph& graph)
{
    const bool isForOpenCv = std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        return node->op() == "DetectionOutput" || node->op() == "PriorBox";
    });
    return isForOpenCv ? "describes layers for OpenCV's DNN module and has no constants: these are "
                         "in the .pb file that it belongs to; open that one"
                       : "";
}

void checkNodes(const Graph& graph, OpTable& ops, const Place& place, ProblemList& problems,
                const Job& job)
{
    CheckContext context{graph, ops, problems, job, {}, place, {}};
    context.isFaulty.resize(graph.size());
    context.specs.reserve(graph.size());
    for (const NodePtr& node : graph.nodes())
        context.specs.push_back(ops.find(node->op()));
    for (const auto check :
         {checkNames, checkInputs, checkCycles, checkAttrs, checkCalls, checkShapes})
        if (!job.cancelled())
            check(context);
}

} // namespace lapidary
