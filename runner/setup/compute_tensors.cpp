// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/compute_tensors.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "runner/execute/exec_graph.h"
#include "runner/kernels/state/variable.h"
#include "runner/plan/fusion.h"
#include "runner/setup/model_interface.h"
#include "runner/setup/prepare_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lapidary {
namespace {

// Counts the loops around each node, because nothing can be fed inside of one. Walks as the
// executor does, from the nodes without inputs. Empty if there are no loops.
std::vector<int> loopsAround(const Graph& graph)
{
    if (std::ranges::none_of(graph.nodes(),
                             [](const NodePtr& node) { return isEnter(node->op()); }))
        return {};
    constexpr int unknown = -1;
    const auto step = [&](NodeId node) {
        const std::string_view op = graph.node(node).op();
        return isEnter(op) ? 1 : isExit(op) ? -1 : 0;
    };
    std::vector<int> loops(graph.size(), unknown);
    std::vector<NodeId> open;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (graph.inputs(NodeId{i}).empty()) {
            loops[i] = 0;
            open.push_back(NodeId{i});
        }
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        for (const Consumer& reader : graph.consumers(node))
            if (loops[reader.node.value] == unknown) {
                loops[reader.node.value] = std::max(0, loops[node.value] + step(reader.node));
                open.push_back(reader.node);
            }
    }
    return loops;
}

// Finds the tensors that cannot be replaced by a value: a reference, which its readers use as a
// variable, and the flow of a TensorArray, which represents earlier writes to the array. The latter
// is recognized by the registry's names of outputs.
class Unfeedable {
public:
    explicit Unfeedable(const Graph& graph)
        : m_graph(graph)
        , m_loops(loopsAround(graph))
    {
    }

    bool includes(const Endpoint& tensor) const
    {
        const bool isInLoop = !m_loops.empty() && m_loops[tensor.node.value] != 0;
        return isInLoop || givesReference(tensor) || carriesFlow(tensor);
    }

private:
    bool givesReference(const Endpoint& tensor) const
    {
        const OpSpec* const spec = findOp(m_graph.node(tensor.node).op());
        return spec != nullptr && std::ranges::any_of(spec->outputs, &ArgSpec::isReference);
    }

    bool carriesFlow(const Endpoint& tensor) const
    {
        std::set<std::uint32_t> seen{tensor.node.value};
        std::vector<Endpoint> open{tensor};
        while (!open.empty()) {
            const Endpoint at = open.back();
            open.pop_back();
            const std::string_view op = m_graph.node(at.node).op();
            if (isFlow(op, at.port))
                return true;
            if (controlFlow(op) == ControlFlow::None && !isPassThrough(op))
                continue;
            for (const Endpoint& input : m_graph.inputs(at.node))
                if (input.node.isValid() && !input.isControl() &&
                    seen.insert(input.node.value).second)
                    open.push_back(input);
        }
        return false;
    }

    static bool isFlow(std::string_view op, std::int32_t port)
    {
        const OpSpec* const spec = findOp(op);
        return spec != nullptr && std::size_t(port) < spec->outputs.size() &&
               spec->outputs[std::size_t(port)].name.starts_with("flow");
    }

    const Graph& m_graph;
    std::vector<int> m_loops; // around each node
};

// Finds the nodes between a node and the nearest feeds and known values.
class Cut {
public:
    Cut(const Graph& graph, const TensorRequest& request)
        : m_graph(graph)
        , m_request(request)
        , m_unfeedable(graph)
        , m_isSeen(graph.size(), false)
    {
        for (const RunPlan::Feed& feed : request.plan.feeds)
            m_fed.insert(withPort(feed.tensor));
    }

    void from(NodeId node)
    {
        if (!node.isValid())
            return;
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
            if (known != m_request.known.end() && !m_unfeedable.includes(input)) {
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
    const TensorRequest& m_request;
    Unfeedable m_unfeedable;
    std::vector<bool> m_isSeen;
    std::vector<NodeId> m_open;
    std::set<std::string> m_fed;
    std::set<std::string> m_needed;
    std::map<std::string, const Value*> m_known;
};

// Observes the nodes of some tensors, and keeps the values that they compute.
class Listener {
public:
    explicit Listener(const TensorRequest& request)
        : m_function(request.function)
    {
        for (const std::string& tensor : request.tensors)
            m_heard.try_emplace(std::string(parseInput(tensor).node));
    }

    ObserveNode observer() // for one run; forgets the values of the run before
    {
        for (auto& [node, heard] : m_heard)
            heard = {};
        return [this](const NodeRun& run, std::span<const Value> outputs) {
            if (run.isPart || run.function != m_function || outputs.empty())
                return;
            const auto heard = m_heard.find(run.definition->name());
            if (heard == m_heard.end())
                return;
            heard->second.outputs.assign(outputs.begin(), outputs.end());
            ++heard->second.times;
        };
    }

    // Returns the last value of a tensor; nothing if there was none.
    std::optional<ComputedOutput> last(const std::string& tensor) const
    {
        const Input input = parseInput(tensor);
        const auto heard = m_heard.find(input.node);
        if (heard == m_heard.end() || std::size_t(input.port) >= heard->second.outputs.size())
            return {};
        const Value& value = heard->second.outputs[std::size_t(input.port)];
        if (!value.isSet())
            return {};
        return ComputedOutput{tensor,
                              isReferenceValue(value) ? readReference(value) : Result<Value>(value),
                              heard->second.times};
    }

private:
    struct Heard {
        std::vector<Value> outputs;
        std::uint64_t times = 0;
    };
    std::string_view m_function;
    std::map<std::string, Heard, std::less<>> m_heard;
};

// Runs for one tensor after the other, if a run for all of them failed.
std::vector<ComputedOutput> computeEach(PreparedRun& prepared, Listener& listener, const Job& job)
{
    std::vector<ComputedOutput> outputs;
    RunRequest request = prepared.request;
    for (const std::string& tensor : prepared.request.fetches) {
        request.fetches = {tensor};
        auto values = prepared.session.run(request, job, listener.observer());
        const auto heard = values ? std::nullopt : listener.last(tensor);
        if (heard)
            outputs.push_back(*heard);
        else
            outputs.push_back({tensor, values ? Result<Value>(std::move(values->front()))
                                              : Result<Value>(values.error())});
    }
    return outputs;
}

// Returns the values that the body of a function computed in the calls of the run.
std::vector<ComputedOutput> heardIn(const TensorRequest& request, const Listener& listener)
{
    std::vector<ComputedOutput> outputs;
    for (const std::string& tensor : request.tensors) {
        if (auto heard = listener.last(tensor))
            outputs.push_back(*std::move(heard));
        else
            outputs.push_back({tensor, Error{ErrorCode::InvalidArgument,
                                             tensor + ": was not computed: no call of " +
                                                 request.function + " reached it in this run"}});
    }
    return outputs;
}

// Returns the functions of a library that call a certain one, directly or not, and that one. A
// library may nest calls thousands deep, so this walks from the wanted one to its callers.
std::set<std::string_view> functionsLeadingTo(std::string_view wanted,
                                              const FunctionLibrary& library)
{
    std::map<std::string_view, std::vector<std::string_view>> callers; // by called function
    for (const FunctionPtr& function : library.functions)
        if (function->body)
            for (const NodePtr& node : function->body->nodes())
                for (const FunctionPtr& called : calledFunctions(*function->body, *node, library))
                    callers[called->name].push_back(function->name);
    std::set<std::string_view> leading{wanted};
    std::vector<std::string_view> open{wanted};
    while (!open.empty()) {
        const std::string_view name = open.back();
        open.pop_back();
        for (const std::string_view caller : callers[name])
            if (leading.insert(caller).second)
                open.push_back(caller);
    }
    return leading;
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

std::vector<std::string> resultTensors(const Graph& graph, std::span<const NodeId> nodes)
{
    std::vector<std::string> read, last, constants;
    for (const NodeId node : nodes) {
        const std::vector<std::string> tensors = outputTensors(graph, node);
        std::vector<bool> isInner(tensors.size(), false);
        std::vector<bool> isRead(tensors.size(), false);
        for (const Consumer& reader : graph.consumers(node))
            if (!reader.isControl() && std::size_t(reader.port) < tensors.size())
                (std::ranges::binary_search(nodes, reader.node)
                     ? isInner
                     : isRead)[std::size_t(reader.port)] = true;
        const bool isFixed = isConstant(graph.node(node).op());
        for (std::size_t port = 0; port < tensors.size(); ++port)
            if (isRead[port] || !isInner[port])
                (isFixed ? constants : isRead[port] ? read : last).push_back(tensors[port]);
    }
    return !read.empty() ? read : !last.empty() ? last : constants;
}

std::vector<std::string> callersOf(const Graph& graph, std::string_view function)
{
    std::vector<std::string> callers;
    if (graph.functions() == nullptr)
        return callers;
    const auto leading = functionsLeadingTo(function, *graph.functions());
    for (const NodePtr& node : graph.nodes())
        if (std::ranges::any_of(
                calledFunctions(graph, *node, *graph.functions()),
                [&](const FunctionPtr& called) { return leading.contains(called->name); }))
            callers.emplace_back(node->name());
    return callers;
}

RunPlan planTo(const Graph& graph, const TensorRequest& request)
{
    Cut cut(graph, request);
    RunPlan plan = request.plan;
    const bool isInFunction = !request.function.empty();
    plan.targets = isInFunction ? callersOf(graph, request.function) : std::vector<std::string>();
    plan.fetches = isInFunction ? std::vector<std::string>() : request.tensors;
    for (const std::string& tensor : plan.fetches)
        cut.need(withPort(tensor));
    for (const std::string& name : isInFunction ? plan.targets : request.tensors)
        cut.from(graph.find(parseInput(name).node));
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

Result<std::vector<ComputedOutput>> computeTensors(const GraphEntry& entry,
                                                   const std::filesystem::path& path,
                                                   const TensorRequest& request, const Job& job)
{
    const FusedGraph fused = request.plan.session.fuse
                                 ? fuseGraph(entry.graph, request.plan.session.decodesWeights)
                                 : FusedGraph{entry.graph, {}};
    const RunPlan plan = planTo(*fused.graph, request);
    if (request.tensors.empty())
        return Error{ErrorCode::InvalidArgument, "there is no tensor to compute"};
    if (plan.fetches.empty() && plan.targets.empty())
        return Error{ErrorCode::InvalidArgument, "the graph does not call " + request.function +
                                                     ", so nothing computes " +
                                                     request.tensors.front()};
    ASSIGN_OR_RETURN(auto prepared, prepareRun(entry, path, plan, job));
    Listener listener(request);
    auto values = prepared.session.run(prepared.request, job, listener.observer());
    if (!values && (job.cancelled() || values.error().code == ErrorCode::Cancelled))
        return values.error();
    if (!request.function.empty())
        return values ? Result(heardIn(request, listener)) : values.error();
    if (!values && plan.fetches.size() > 1)
        return computeEach(prepared, listener, job);
    std::vector<ComputedOutput> outputs;
    if (!values) {
        const auto heard = listener.last(plan.fetches.front());
        if (!heard)
            return values.error();
        outputs.push_back(*heard);
        return outputs;
    }
    for (std::size_t i = 0; i < values->size(); ++i)
        outputs.push_back({plan.fetches[i], std::move((*values)[i])});
    return outputs;
}

} // namespace lapidary
