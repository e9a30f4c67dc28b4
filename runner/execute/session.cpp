#include "runner/execute/session.h"

#include "graph_model/ops/node_signature.h"
#include "runner/execute/exec_graph.h"
#include "runner/execute/executor.h"
#include "runner/plan/share_times.h"
#include "runner/threads/thread_team.h"

#include <any>
#include <map>
#include <random>

namespace lapidary {
namespace {

// What a compiled request depends on: not the fed values, only their names.
std::string keyOf(const RunRequest& request)
{
    std::string key;
    for (const auto& [name, value] : request.feeds)
        key += name + '\n';
    key += "\f";
    for (const std::string& name : request.fetches)
        key += name + '\n';
    key += "\f";
    for (const std::string& name : request.targets)
        key += name + '\n';
    return key;
}

Error missingError(const std::vector<MissingKernel>& missing)
{
    std::string text = "no kernel for";
    for (const MissingKernel& kernel : missing)
        text +=
            (text.back() == 'r' ? " " : ", ") + kernel.op + " (" + kernel.nodes.front() +
            (kernel.nodes.size() > 1 ? " and " + std::to_string(kernel.nodes.size() - 1) + " more)"
                                     : ")");
    return {ErrorCode::Unsupported, text};
}

// A fed tensor stands for a placeholder's: the dtype must be the one that its readers expect.
Status checkFeeds(const Graph& graph, const RunRequest& request)
{
    for (const auto& [name, value] : request.feeds) {
        const Input input = parseInput(name);
        const NodeId id = graph.find(input.node);
        const OpSpec* spec = id.isValid() ? findOp(graph.node(id).op()) : nullptr;
        if (spec == nullptr || !value.isSet())
            continue;
        const DType expected = outputDtype(graph.node(id), *spec, input.port);
        if (expected != DType::Invalid && withoutReference(expected) != value.dtype())
            return Error{ErrorCode::InvalidArgument,
                         "feed '" + name + "' is " + dtypeName(value.dtype()) + ", but " +
                             std::string(input.node) + " gives " + dtypeName(expected)};
    }
    return Done{};
}

} // namespace

struct Session::Impl {
    Impl(GraphPtr g, SessionOptions o)
        : fused(std::make_shared<FusedGraph>(o.fuse ? fuseGraph(g) : FusedGraph{g, {}}))
        , graph(fused->graph)
        , options(std::move(o))
        , state(options.memoryLimit)
        , nodeStates(graph->size())
    {
        state.folder = options.folder;
        state.allowFiles = options.allowFiles;
        state.threads = options.threads;
        state.entropy.seed(std::random_device()());
    }

    Result<const ExecGraph*> compiled(const RunRequest& request)
    {
        const std::string key = keyOf(request);
        const auto known = plans.find(key);
        if (known != plans.end())
            return &known->second;
        auto plan = compile(graph, request);
        if (!plan)
            return plan.error();
        for (const ExecNode& node : plan.value().nodes) {
            if (!node.id.isValid())
                continue;
            if (const Status status = checkRegisteredTypes(graph->node(node.id)); !status)
                return status.error();
        }
        return &plans.emplace(key, std::move(plan).value()).first->second;
    }

    std::shared_ptr<const FusedGraph> fused;
    GraphPtr graph; // the fused one
    SessionOptions options;
    SessionState state;
    std::vector<std::any> nodeStates;
    std::map<std::string, ExecGraph> plans;
};

Session::Session(GraphPtr graph, SessionOptions options)
    : m_impl(std::make_unique<Impl>(std::move(graph), std::move(options)))
{
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Result<std::vector<Value>> Session::run(const RunRequest& request, const Job& job,
                                        const ObserveNode& observe)
{
    const auto plan = m_impl->compiled(request);
    if (!plan)
        return plan.error();
    if (!plan.value()->missing.empty())
        return missingError(plan.value()->missing);
    if (const Status status = checkFeeds(*m_impl->graph, request); !status)
        return status.error();
    std::vector<Value> feeds;
    for (const auto& [name, value] : request.feeds)
        feeds.push_back(value);
    m_impl->state.printed.clear();
    m_impl->state.stepResources.clear();
    ++m_impl->state.stepCount;
    std::uint64_t runsLeft = m_impl->options.maxNodeRuns;
    const CallFunction call = [](std::string_view function, const AttrValue&,
                                 std::span<const Value>) -> Result<std::vector<Value>> {
        return Error{ErrorCode::Unsupported,
                     "function " + std::string(function) + " cannot be called yet"};
    };
    const ObserveNode observeMembers = shareTimes(m_impl->fused, observe);
    Executor executor(*plan.value(), {.session = m_impl->state,
                                      .nodeStates = m_impl->nodeStates,
                                      .call = call,
                                      .observe = observeMembers,
                                      .job = job,
                                      .runsLeft = runsLeft});
    const ThreadTeam team(m_impl->options.threads);
    auto values = executor.run(feeds);
    m_impl->state.stepResources.clear();
    return values;
}

std::vector<MissingKernel> Session::missingKernels(const RunRequest& request) const
{
    const auto plan = compile(m_impl->graph, request);
    return plan ? plan.value().missing : std::vector<MissingKernel>();
}

MemoryPool& Session::pool()
{
    return m_impl->state.pool;
}

const std::string& Session::printed() const
{
    return m_impl->state.printed;
}

} // namespace lapidary
