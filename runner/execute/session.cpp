#include "runner/execute/session.h"

#include "graph_model/ops/node_signature.h"
#include "runner/execute/machine.h"
#include "runner/kernels/quantised/chosen_back_end.h"
#include "runner/kernels/state/resource_owner.h"
#include "runner/plan/share_times.h"
#include "runner/threads/thread_team.h"

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

void clearAll(std::map<std::string, ResourcePtr, std::less<>>& resources)
{
    for (const auto& [name, resource] : resources)
        if (auto* owner = dynamic_cast<ResourceOwner*>(resource.get()))
            owner->clear();
    resources.clear();
}

} // namespace

struct Session::Impl {
    Impl(GraphPtr g, SessionOptions o)
        : fused(std::make_shared<FusedGraph>(o.fuse ? fuseGraph(g) : FusedGraph{std::move(g), {}}))
        , graph(fused->graph)
        , options(std::move(o))
        , state(options.memoryLimit)
        , functions(graph->sharedFunctions())
        , memory(std::make_shared<GraphMemory>())
    {
        memory->nodes.resize(graph->size());
        state.folder = options.folder;
        state.allowFiles = options.allowFiles;
        state.threads = options.threads;
        askForBackEnd(state, options.backEnd);
        state.entropy.seed(std::random_device()());
    }

    ~Impl()
    {
        clearAll(state.stepResources);
        clearAll(state.resources);
    }

    Result<ExecGraph> compileRequest(const RunRequest& request) const
    {
        const auto resolved = resolve(*graph, functions.library(), request);
        if (!resolved)
            return resolved.error();
        auto compiled = compile(graph, functions.library(), resolved.value());
        if (compiled)
            functions.collectMissing(compiled.value(), compiled.value().missing);
        return compiled;
    }

    Result<Program*> program(const RunRequest& request)
    {
        const std::string key = keyOf(request);
        const auto known = programs.find(key);
        if (known != programs.end())
            return known->second.get();
        auto compiled = compileRequest(request);
        if (!compiled)
            return compiled.error();
        for (const ExecNode& node : compiled.value().nodes) {
            if (!node.id.isValid())
                continue;
            if (const Status status = checkRegisteredTypes(graph->node(node.id)); !status)
                return status.error();
        }
        if (!compiled.value().missing.empty())
            return missingError(compiled.value().missing);
        auto made = std::make_unique<Program>();
        made->graph = std::move(compiled).value();
        made->memory = memory;
        return programs.emplace(key, std::move(made)).first->second.get();
    }

    // A fed tensor takes its producer's place, so it must have its type.
    Status checkFeed(const std::string& name, const Value& value) const
    {
        const Input input = parseInput(name);
        const Node& node = graph->node(graph->find(input.node));
        const OpSpec* op = findOp(node.op());
        const DType wanted =
            op == nullptr ? DType::Invalid : withoutReference(outputDtype(node, *op, input.port));
        if (wanted == DType::Invalid || value.dtype() == wanted)
            return Done{};
        return Error{ErrorCode::InvalidArgument,
                     "feed '" + name + "': it is " + dtypeName(value.dtype()) + ", but " +
                         std::string(node.name()) + " gives " + dtypeName(wanted)};
    }

    std::shared_ptr<const FusedGraph> fused;
    GraphPtr graph; // the fused one
    SessionOptions options;
    SessionState state;
    FunctionTable functions;
    std::shared_ptr<GraphMemory> memory;
    std::map<std::string, std::unique_ptr<Program>> programs;
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
    const auto program = m_impl->program(request);
    if (!program)
        return program.error();
    std::vector<Value> feeds;
    for (const auto& [name, value] : request.feeds) {
        if (const Status status = m_impl->checkFeed(name, value); !status)
            return status.error();
        feeds.push_back(value);
    }
    m_impl->state.printed.clear();
    ++m_impl->state.stepCount;
    const ObserveNode observeMembers = shareTimes(m_impl->fused, observe);
    StepEnvironment step{.session = m_impl->state,
                         .observe = observeMembers,
                         .job = job,
                         .runsLeft = m_impl->options.maxNodeRuns,
                         .begin = std::chrono::steady_clock::now()};
    const ThreadTeam team(m_impl->options.threads);
    auto values = Machine(m_impl->functions, step).run(*program.value(), std::move(feeds));
    clearAll(m_impl->state.stepResources);
    return values;
}

std::vector<MissingKernel> Session::missingKernels(const RunRequest& request) const
{
    const auto compiled = m_impl->compileRequest(request);
    return compiled ? compiled.value().missing : std::vector<MissingKernel>();
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
