// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/compute_node.h"

#include "runner/execute/exec_graph.h"
#include "runner/plan/fusion.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/prepare_run.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

// Finds what lies between a node and the feeds and known values nearest to it.
class Cut {
public:
    Cut(const Graph& graph, const NodeRequest& request)
        : m_graph(graph)
        , m_request(request)
        , m_isSeen(graph.size(), false)
    {
        for (const RunPlan::Feed& feed : request.plan.feeds)
            m_fed.insert(withPort(feed.tensor));
    }

    void from(NodeId node)
    {
        m_isSeen[node.value] = true;
        m_open.push_back(node);
        while (!m_open.empty()) {
            const NodeId at = m_open.back();
            m_open.pop_back();
            for (const Endpoint& input : m_graph.inputs(at))
                if (input.node.isValid())
                    meet(input);
        }
    }
    void need(const std::string& tensor) { m_needed.insert(tensor); }
    bool isNeeded(const std::string& tensor) const { return m_needed.contains(tensor); }
    const std::map<std::string, const Value*>& known() const { return m_known; }

private:
    void meet(Endpoint input)
    {
        if (!input.isControl()) {
            const std::string tensor = tensorName(m_graph, input);
            if (m_fed.contains(tensor))
                return need(tensor);
            const auto known = m_request.known.find(tensor);
            // A loop's variables enter it in a frame of their own, where nothing can be fed.
            const std::string_view op = m_graph.node(input.node).op();
            if (known != m_request.known.end() && op != "Enter" && op != "RefEnter") {
                m_known.emplace(tensor, &known->second);
                return;
            }
        }
        if (m_isSeen[input.node.value])
            return;
        m_isSeen[input.node.value] = true;
        m_open.push_back(input.node);
    }

    const Graph& m_graph;
    const NodeRequest& m_request;
    std::vector<bool> m_isSeen;
    std::vector<NodeId> m_open;
    std::set<std::string> m_fed;
    std::set<std::string> m_needed;
    std::map<std::string, const Value*> m_known;
};

// Runs for one output after the other, where all together have no value.
std::vector<ComputedOutput> computeEach(PreparedRun& prepared, const Job& job)
{
    std::vector<ComputedOutput> outputs;
    RunRequest request = prepared.request;
    for (const std::string& tensor : prepared.request.fetches) {
        request.fetches = {tensor};
        auto values = prepared.session.run(request, job);
        outputs.push_back({tensor, values ? Result<Value>(std::move(values->front()))
                                          : Result<Value>(values.error())});
    }
    return outputs;
}

} // namespace

std::vector<std::string> outputTensors(const Graph& graph, NodeId node)
{
    std::vector<std::string> tensors;
    const std::uint32_t count = outputCount(graph.node(node), graph.functions());
    for (std::uint32_t port = 0; port < count; ++port)
        tensors.push_back(tensorName(graph, {node, std::int32_t(port)}));
    return tensors;
}

RunPlan planTo(const Graph& graph, const NodeRequest& request)
{
    Cut cut(graph, request);
    RunPlan plan = request.plan;
    plan.targets.clear();
    plan.fetches = outputTensors(graph, request.node);
    for (const std::string& tensor : plan.fetches)
        cut.need(tensor);
    cut.from(request.node);
    plan.otherInputs.reset();
    std::erase_if(plan.feeds,
                  [&](const RunPlan::Feed& feed) { return !cut.isNeeded(withPort(feed.tensor)); });
    std::erase_if(plan.shapes, [&](const auto& shape) {
        return std::ranges::none_of(plan.feeds, [&](const RunPlan::Feed& feed) {
            return withPort(feed.tensor) == withPort(shape.first);
        });
    });
    for (const auto& [tensor, value] : cut.known())
        plan.feeds.push_back({tensor, *value, value->dtype()});
    return plan;
}

Result<std::vector<ComputedOutput>> computeNode(const GraphEntry& entry,
                                                const std::filesystem::path& path,
                                                const NodeRequest& request, const Job& job)
{
    const FusedGraph fused =
        request.plan.session.fuse ? fuseGraph(entry.graph) : FusedGraph{entry.graph, {}};
    const RunPlan plan = planTo(*fused.graph, request);
    const std::string name(entry.graph->node(request.node).name());
    if (plan.fetches.empty())
        return Error{ErrorCode::InvalidArgument, name + ": has no outputs"};
    ASSIGN_OR_RETURN(auto prepared, prepareRun(entry, path, plan, job));
    auto values = prepared.session.run(prepared.request, job);
    if (!values && (plan.fetches.size() == 1 || values.error().code == ErrorCode::Cancelled))
        return values.error();
    if (!values)
        return computeEach(prepared, job);
    std::vector<ComputedOutput> outputs;
    for (std::size_t i = 0; i < values->size(); ++i)
        outputs.push_back({plan.fetches[i], std::move((*values)[i])});
    return outputs;
}

} // namespace lapidary
