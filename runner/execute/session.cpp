// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/session.h"

#include "graph_model/binding/bind_node.h"
#include "graph_model/binding/node_signature.h"
#include "runner/execute/bind_graph.h"
#include "runner/execute/machine.h"
#include "runner/execute/share_times.h"
#include "runner/guard/out_of_memory.h"
#include "runner/guard/run_guard.h"
#include "runner/guard/running_node.h"
#include "runner/kernels/quantized/chosen_back_end.h"
#include "runner/kernels/resource_owner.h"
#include "runner/kernels/state/variable.h"
#include "runner/threads/thread_team.h"

#include <algorithm>
#include <map>
#include <random>

namespace lapidary {
namespace {

// Returns the key of a compiled request: it has the names of fed values, not the values.
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
            (text.back() == 'r' ? " " : ", ") + std::string(opWords(kernel.op)) + " (" +
            kernel.nodes.front() +
            (kernel.nodes.size() > 1 ? " and " + std::to_string(kernel.nodes.size() - 1) + " more)"
                                     : ")");
    return {ErrorCode::Unsupported, text, ErrorReason::MissingKernel, missing.front().op};
}

// A compiled request, and the functions that it calls.
struct CompiledRequest {
    explicit CompiledRequest(const std::shared_ptr<const FunctionLibrary>& library)
        : functions(library)
    {
    }

    Program program;
    FunctionTable functions;
};

// Returns false for a graph that contains ops of the fusion, which must not be mistaken for one
// that the fusion made.
bool mayFuse(const Graph& graph)
{
    return std::ranges::none_of(graph.nodes(),
                                [](const NodePtr& node) { return isInternalOp(node->op()); });
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
        : fused(std::make_shared<FusedGraph>(o.fuse && mayFuse(*g) ? fuseGraph(g, o.decodesWeights)
                                                                   : FusedGraph{std::move(g), {}}))
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
        state.drawsAlike = options.drawsAlike;
        state.drawNames = options.drawNames;
    }

    ~Impl()
    {
        clearAll(state.stepResources);
        clearAll(state.resources);
    }

    Result<ExecGraph> compileRequest(const RunRequest& request) const
    {
        ASSIGN_OR_RETURN(const auto resolved, resolve(*graph, functions.library(), request));
        auto compiled = compile(graph, functions.library(), resolved);
        if (compiled)
            functions.collectMissing(*compiled, compiled->missing);
        return compiled;
    }

    Result<CompiledRequest*> compiledFor(const RunRequest& request)
    {
        const std::string key = keyOf(request);
        const auto known = programs.find(key);
        if (known != programs.end())
            return known->second.get();
        ASSIGN_OR_RETURN(auto compiled, compileRequest(request));
        RETURN_IF_ERROR(bindGraph(compiled, fused->original ? fused.get() : nullptr));
        if (!compiled.missing.empty())
            return missingError(compiled.missing);
        auto made = std::make_unique<CompiledRequest>(graph->sharedFunctions());
        made->program.graph = std::move(compiled);
        made->program.memory = memory;
        return programs.emplace(key, std::move(made)).first->second.get();
    }

    Result<std::vector<Value>> run(const RunRequest& request, const Job& job,
                                   const ObserveNode& observe)
    {
        ASSIGN_OR_RETURN(const auto compiled, compiledFor(request));
        std::vector<Value> feeds;
        for (const auto& [name, value] : request.feeds) {
            RETURN_IF_ERROR(checkFeed(name, value));
            feeds.push_back(value);
        }
        state.printed.clear();
        ++state.stepCount;
        const ObserveNode observeMembers = shareTimes(fused, observe);
        StepEnvironment step{.session = state,
                             .observe = observeMembers,
                             .job = job,
                             .runsLeft = options.maxNodeRuns,
                             .mostRuns = options.maxNodeRuns,
                             .begin = std::chrono::steady_clock::now()};
        const ThreadTeam team(options.threads);
        return Machine(compiled->functions, step).run(compiled->program, std::move(feeds));
    }

    // A fed tensor replaces an output of its producer, so it must have its type.
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
    GraphPtr graph; // the fused graph
    SessionOptions options;
    SessionState state;
    FunctionTable functions; // not for running; each request has its own
    std::shared_ptr<GraphMemory> memory;
    std::map<std::string, std::unique_ptr<CompiledRequest>> programs;
    std::int64_t heapBefore = heap::bytesInUse(); // bytes that do not belong to the session
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
    noteNoNode();
    auto values = [&] {
        const RunGuard guard(m_impl->options.memoryLimit, m_impl->heapBefore, job);
        // Kernels report failed allocations themselves: this is for the work between them.
        return withinMemory("this graph", [&] { return m_impl->run(request, job, observe); });
    }();
    clearAll(m_impl->state.stepResources);
    if (values)
        noteNoNode();
    return values;
}

std::vector<MissingKernel> Session::missingKernels(const RunRequest& request) const
{
    const auto compiled = m_impl->compileRequest(request);
    return compiled ? compiled->missing : std::vector<MissingKernel>();
}

MemoryPool& Session::pool()
{
    return m_impl->state.pool;
}

void Session::setVariable(const Node& variable, Value value)
{
    variableOf(m_impl->state, variable)->set(std::move(value));
}

void Session::setAbsent(const Node& variable, std::string checkpoint)
{
    variableOf(m_impl->state, variable)->setAbsentFrom(std::move(checkpoint));
}

std::string_view opWords(std::string_view op)
{
    return op.empty() ? "a node without an op" : op;
}

bool Session::hasVariable(const Node& variable) const
{
    return variableOf(m_impl->state, variable)->isInitialized();
}

const std::string& Session::printed() const
{
    return m_impl->state.printed;
}

} // namespace lapidary
