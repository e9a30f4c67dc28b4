// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/profile_run.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/interface/no_outputs.h"
#include "runner/cost/flops.h"
#include "runner/cost/graph_cost.h"
#include "runner/profile/operator_rows.h"
#include "runner/profile/run_profile.h"
#include "runner/setup/fed_shapes.h"
#include "runner/setup/prepare_run.h"

#include <algorithm>
#include <chrono>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

// Reports the progress of all runs together, estimated by the nodes of the first one.
class RunMeter {
public:
    RunMeter(const Job& job, int runs, std::size_t nodes)
        : m_job(job)
        , m_runs(std::max(runs, 1))
        , m_nodes(std::max<std::size_t>(nodes, 1))
    {
    }
    void step()
    {
        constexpr std::size_t between = 16;
        if (++m_seen % between == 0)
            report();
    }
    void endRun()
    {
        m_nodes = std::max<std::size_t>(m_seen, 1);
        m_seen = 0;
        ++m_done;
        report();
    }

private:
    void report() const
    {
        const double share = std::min(double(m_seen) / double(m_nodes), 1.0);
        m_job.progress(std::min((m_done + share) / m_runs, 1.0));
    }

    const Job& m_job;
    int m_runs;
    int m_done = 0;
    std::size_t m_nodes;
    std::size_t m_seen = 0;
};

// Feeds only the chosen inputs: with random numbers, except settings.
RunPlan planFor(const Graph& graph, const InterfaceChoice& choice, const ProfileRunOptions& options)
{
    RunPlan plan;
    plan.session.threads = options.threads;
    plan.session.memoryLimit = options.memoryLimit;
    plan.otherInputs.reset();
    for (const ChosenTensor& input : choice.inputs) {
        // Looks the node up by name, because a choice from another process has no nodes.
        const Input tensor = parseInput(input.tensor);
        const auto setting =
            inputSetting(graph, {graph.find(tensor.node), std::max(tensor.port, 0)});
        FeedSource source = RandomFeed{};
        if (setting)
            source = ConstantFeed{setting->value};
        plan.feeds.push_back({input.tensor, std::move(source), input.dtype});
        if (!input.shape.unknownRank)
            plan.shapes.emplace_back(input.tensor, input.shape);
        else if (setting)
            plan.shapes.emplace_back(input.tensor, Shape{});
    }
    for (const ChosenTensor& output : choice.outputs)
        plan.fetches.push_back(output.tensor);
    return plan;
}

Status measure(PreparedRun& prepared, RunProfile& profile, const ProfileRunOptions& options,
               RunMeter& meter, const Job& job)
{
    const auto began = Clock::now();
    for (int i = 0; i < options.warmups + options.mostRuns; ++i) {
        const bool isWarmup = i < options.warmups;
        const std::chrono::duration<double> spent = Clock::now() - began;
        if (i > options.warmups && spent.count() > options.mostSeconds)
            break;
        profile.begin();
        const ObserveNode record = profile.observer();
        const auto start = Clock::now();
        const auto answer = prepared.session.run(
            prepared.request, job, [&](const NodeRun& run, std::span<const Value> outputs) {
                if (!isWarmup)
                    record(run, outputs);
                meter.step();
            });
        const auto time =
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        RETURN_IF_ERROR(answer);
        if (!isWarmup)
            profile.end(time);
        meter.endRun();
    }
    return Done{};
}

// Nodes that were computed together with others have no measured shapes: their operations are
// counted by the shapes that are inferred from the inputs.
void fillFlops(NodeProfile& profile, const Graph& graph, const RunRequest& request, const Job& job)
{
    const auto shapes = fedShapes(graph, request, job);
    const auto cost =
        shapes ? costOf(graph, shapes.value(), job) : Result<GraphCost>(shapes.error());
    if (!cost)
        return; // the measured times are useful without them
    for (ProfiledNode& node : profile.nodes) {
        const NodeId id = node.isInFunction ? NodeId{} : graph.find(node.name);
        if (!node.flops && id.isValid() && hasFlops(node.op) && cost->nodes[id.value].flops > 0)
            node.flops = cost->nodes[id.value].flops;
    }
}

} // namespace

Result<NodeProfilePtr> profileRun(const GraphEntry& entry, const std::string& path,
                                  const InterfaceChoice& choice, const ProfileRunOptions& options,
                                  const Job& job)
{
    if (choice.outputs.empty())
        return noOutputs(*entry.graph, "there is no output to compute");
    ASSIGN_OR_RETURN(auto prepared,
                     prepareRun(entry, path, planFor(*entry.graph, choice, options), job));
    RunProfile profile(prepared.graph);
    RunMeter meter(job, options.warmups + options.mostRuns, prepared.graph->size());
    RETURN_IF_ERROR(measure(prepared, profile, options, meter, job));
    NodeProfile result = nodeProfile(profile);
    fillFlops(result, *prepared.graph, prepared.request, job);
    if (dialectOf(*entry.graph) != Dialect::TensorFlow)
        joinOperatorRows(result, profile, *entry.graph);
    result.peakBytes = prepared.session.pool().peakBytes();
    return std::make_shared<const NodeProfile>(std::move(result));
}

} // namespace lapidary
