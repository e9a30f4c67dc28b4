// SPDX-License-Identifier: Apache-2.0
#include "runner/execute/executor.h"

#include "runner/guard/out_of_memory.h"
#include "runner/guard/running_node.h"
#include "runner/kernels/file_weights.h"
#include "runner/kernels/state/variable.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t mostIterations = 100000; // of one frame at the same time

NodeRun nodeRun(const Program& program, NodeId id, Clock::time_point begin, Clock::time_point end,
                Clock::time_point step)
{
    NodeRun run{.node = id};
    run.definition = &program.graph.graph->node(id);
    run.function = program.function;
    run.startNanoseconds = std::chrono::nanoseconds(begin - step).count();
    run.nanoseconds = std::chrono::nanoseconds(end - begin).count();
    return run;
}

} // namespace

Program::Program() = default;
Program::~Program() = default;

struct Executor::Pools {
    std::vector<std::unique_ptr<Iteration>> iterations; // all that were ever made
    std::vector<std::unique_ptr<Frame>> frames;
    std::vector<std::vector<Iteration*>> freeIterations; // by static frame
    std::vector<std::vector<Frame*>> freeFrames;
};

Executor::Executor(Program& program)
    : m_program(program)
    , m_graph(program.graph)
    , m_pools(std::make_unique<Pools>())
{
    m_pools->freeIterations.resize(m_graph.frames.size());
    m_pools->freeFrames.resize(m_graph.frames.size());
    for (const ExecFrame& frame : m_graph.frames) {
        auto& states = m_fresh.emplace_back();
        for (const std::uint32_t node : frame.nodes)
            states.push_back({.dataLeft = m_graph.nodes[node].awaitedData,
                              .controlLeft = m_graph.nodes[node].controlInputs});
    }
}

Executor::~Executor() = default;

Executor::Iteration* Executor::newIteration(Frame& frame, std::uint64_t number)
{
    auto& free = m_pools->freeIterations[frame.plan];
    Iteration* iteration = nullptr;
    if (free.empty()) {
        iteration = m_pools->iterations.emplace_back(std::make_unique<Iteration>()).get();
        iteration->slots.resize(m_graph.frames[frame.plan].slotCount);
        for (const auto& [slot, constant] : m_slots[frame.plan].constants)
            iteration->slots[slot] = m_program.constants[constant];
    } else {
        iteration = free.back();
        free.pop_back();
    }
    iteration->nodes = m_fresh[frame.plan];
    iteration->frame = &frame;
    iteration->number = number;
    iteration->outstanding = 0;
    return iteration;
}

void Executor::release(Iteration* iteration)
{
    for (const std::uint32_t slot : m_slots[iteration->frame->plan].awaited)
        if (iteration->slots[slot].isSet())
            iteration->slots[slot] = Value();
    iteration->children.clear();
    m_pools->freeIterations[iteration->frame->plan].push_back(iteration);
}

void Executor::release(Frame* frame)
{
    frame->deadExits.clear();
    frame->constants.clear();
    m_pools->freeFrames[frame->plan].push_back(frame);
}

void Executor::clear()
{
    m_ready.clear();
    for (const auto& frame : m_pools->frames) {
        for (Iteration* iteration : frame->iterations)
            release(iteration);
        frame->iterations.clear();
        frame->constants.clear();
        frame->deadExits.clear();
    }
    for (auto& free : m_pools->freeFrames)
        free.clear();
    for (const auto& frame : m_pools->frames)
        m_pools->freeFrames[frame->plan].push_back(frame.get());
    m_root = nullptr;
    m_isCalling = false;
    m_progress = {};
    m_call = {};
    m_feeds.clear();
    m_fetched.clear();
    for (Value& output : m_outputs)
        output = Value();
}

Executor::Frame& Executor::childFrame(const ExecNode& enter, Iteration& parent)
{
    for (Frame* child : parent.children)
        if (child->plan == enter.child)
            return *child;
    auto& free = m_pools->freeFrames[enter.child];
    Frame* child = nullptr;
    if (free.empty()) {
        child = m_pools->frames.emplace_back(std::make_unique<Frame>()).get();
        child->plan = enter.child;
    } else {
        child = free.back();
        free.pop_back();
    }
    child->parent = &parent;
    child->entersLeft = m_graph.frames[enter.child].enterCount;
    child->iterations.push_back(newIteration(*child, 0));
    parent.children.push_back(child);
    return *child;
}

Status Executor::start(std::vector<Value> feeds, StepEnvironment& step)
{
    clear();
    m_feeds = std::move(feeds);
    m_fetched.resize(m_graph.fetches.size());
    if (m_program.constants.size() != m_graph.constants.size())
        RETURN_IF_ERROR(readConstants(step));
    prepareSlots();
    if (step.observe)
        for (std::size_t i = 0; i < m_graph.constants.size(); ++i) {
            const ExecNode& node = m_graph.nodes[m_graph.constants[i].node];
            if (node.kind != ExecKind::Constant || m_graph.constants[i].isRepeated)
                continue;
            const auto now = Clock::now();
            NodeRun run = nodeRun(m_program, node.id, now, now, step.begin);
            run.outputBytes = m_program.constants[i].byteCount();
            step.observe(run, {&m_program.constants[i], 1});
        }
    Frame& root = m_pools->freeFrames[0].empty()
                      ? *m_pools->frames.emplace_back(std::make_unique<Frame>())
                      : *m_pools->freeFrames[0].back();
    m_pools->freeFrames[0].clear();
    root.entersLeft = 0;
    root.iterations.push_back(newIteration(root, 0));
    m_root = &root;
    for (const std::uint32_t node : m_graph.starts)
        queueIfReady(node, m_graph.nodes[node], *root.iterations.front());
    return Done{};
}

Status Executor::readConstants(StepEnvironment& step)
{
    std::vector<Value> constants;
    for (const ExecConstant& constant : m_graph.constants) {
        const ExecNode& node = m_graph.nodes[constant.node];
        if (constant.isForPacking) {
            Value view = FileWeights::of(m_graph.graph->node(node.id));
            if (view.isSet()) {
                constants.push_back(std::move(view));
                continue;
            }
        }
        Value value;
        KernelContext context(m_graph.graph->node(node.id), {}, {&value, 1}, step.session,
                              m_program.memory->nodes[node.id.value], step.job, m_noCall);
        noteNode(context.node().name(), context.node().op());
        RETURN_IF_ERROR(runChecked(*node.kernel, context));
        constants.push_back(std::move(value));
    }
    for (const ExecNode& node : m_graph.nodes) {
        for (std::uint32_t i = 0; i < node.dataInputs; ++i) {
            const ExecSlot& slot = m_graph.slots[node.firstSlot + i];
            if (slot.constant < 0)
                continue;
            const Value& constant = constants[std::size_t(slot.constant)];
            RETURN_IF_ERROR(checkType(node, i, constant));
        }
    }
    m_program.constants = std::move(constants);
    return Done{};
}

// Constants are put into the slots of their readers when an iteration is made, because iterations
// are reused.
void Executor::prepareSlots()
{
    if (!m_outputs.empty())
        return;
    m_slots.resize(m_graph.frames.size());
    std::uint32_t most = 1;
    for (const ExecNode& node : m_graph.nodes) {
        FrameSlots& frame = m_slots[node.frame];
        for (std::uint32_t i = 0; i < node.dataInputs; ++i) {
            const std::int32_t constant = m_graph.slots[node.firstSlot + i].constant;
            if (constant >= 0)
                frame.constants.emplace_back(node.frameSlot + i, std::uint32_t(constant));
            else
                frame.awaited.push_back(node.frameSlot + i);
        }
        most = std::max(most, node.outputs);
    }
    m_outputs.resize(most);
}

Result<bool> Executor::advance(StepEnvironment& step)
{
    while (m_isCalling || !m_ready.isEmpty()) {
        if (step.job.cancelled())
            return cancelledError();
        const Task task = m_isCalling ? m_current : m_ready.pop();
        ASSIGN_OR_RETURN(const auto finished, execute(task, step));
        m_isCalling = !finished;
        if (m_isCalling) {
            m_current = task;
            return false;
        }
        RETURN_IF_ERROR(keepFetches(task));
        finishNode(task);
    }
    return true;
}

// Returns false if the node waits for a function.
Result<bool> Executor::execute(const Task& task, StepEnvironment& step)
{
    const ExecNode& node = m_graph.nodes[task.node];
    if (node.kind == ExecKind::Feed) {
        m_outputs[0] = m_feeds[node.feed];
        return true;
    }
    if (task.dead) {
        dropInputs(node, *task.iteration);
        return true;
    }
    if (step.runsLeft == 0)
        return Error{ErrorCode::Unsupported, nameOf(task.node) + ": the limit of executed nodes, " +
                                                 std::to_string(step.mostRuns) +
                                                 ", is reached; is this an endless loop?"};
    --step.runsLeft;
    if (node.kind == ExecKind::NextIteration &&
        task.iteration->frame->iterations.size() > mostIterations)
        return Error{
            ErrorCode::Unsupported,
            nameOf(task.node) +
                ": its loop has too many unfinished iterations; one of its inputs never arrives"};
    if (!m_isCalling)
        RETURN_IF_ERROR(readInputs(node, *task.iteration));
    return runNode(node, *task.iteration, step);
}

// Releases the values that came over edges.
void Executor::dropInputs(const ExecNode& node, Iteration& iteration)
{
    if (node.awaitedData == 0)
        return;
    const auto inputs = inputsOf(node, iteration);
    for (std::uint32_t i = 0; i < node.dataInputs; ++i)
        if (inputs[i].isSet() && m_graph.slots[node.firstSlot + i].constant < 0)
            inputs[i] = Value();
}

// Checks that an input has the type of the op's signature: kernels rely on it.
Status Executor::checkType(const ExecNode& node, std::uint32_t i, const Value& value) const
{
    const DType wanted = m_graph.slots[node.firstSlot + i].dtype;
    if (wanted == DType::Invalid || value.dtype() == wanted || !value.isSet())
        return Done{};
    return Error{ErrorCode::InvalidArgument, std::string(m_graph.graph->node(node.id).name()) +
                                                 ": its input " + std::to_string(i) + " is " +
                                                 dtypeName(value.dtype()) + ", not " +
                                                 dtypeName(wanted)};
}

// Checks the values in the node's slots. A reference is replaced by its value if the op does not
// take references.
Status Executor::readInputs(const ExecNode& node, Iteration& iteration) const
{
    const auto inputs = inputsOf(node, iteration);
    for (std::uint32_t i = 0; i < node.dataInputs; ++i) {
        const ExecSlot& slot = m_graph.slots[node.firstSlot + i];
        if (slot.constant >= 0)
            continue;
        Value& input = inputs[i];
        if (isReferenceValue(input) && !slot.takesReference) {
            auto value = readReference(input);
            if (!value)
                return value.error().within(m_graph.graph->node(node.id).name());
            input = *std::move(value);
        }
        if (input.dtype() != slot.dtype)
            RETURN_IF_ERROR(checkType(node, i, input));
    }
    return Done{};
}

Result<bool> Executor::runNode(const ExecNode& node, Iteration& iteration, StepEnvironment& step)
{
    const Node& definition = m_graph.graph->node(node.id);
    const auto outputs = outputsOf(node);
    KernelContext context(definition, inputsOf(node, iteration), outputs, step.session,
                          m_program.memory->nodes[node.id.value], step.job, m_noCall);
    noteNode(definition.name(), definition.op());
    const bool observed = bool(step.observe);
    const auto begin = observed ? Clock::now() : Clock::time_point();
    auto finished =
        node.isSettled && takeSettled(node) ? Result<bool>(true) : runKernel(context, node);
    if (!finished)
        return finished;
    if (observed) {
        NodeRun run = nodeRun(m_program, node.id, begin, Clock::now(), step.begin);
        run.isPart = !*finished;
        for (const Value& output : outputs)
            run.outputBytes += output.byteCount();
        step.observe(run, outputs);
    }
    if (!*finished)
        return finished;
    dropInputs(node, iteration);
    RETURN_IF_ERROR(checkOutputs(node, definition));
    if (node.isSettled)
        keepSettled(node, step.session.pool);
    return true;
}

bool Executor::takeSettled(const ExecNode& node)
{
    const auto found = m_program.settled.find(std::uint32_t(&node - m_graph.nodes.data()));
    if (found == m_program.settled.end())
        return false;
    std::ranges::copy(found->second, m_outputs.begin());
    return true;
}

void Executor::keepSettled(const ExecNode& node, const MemoryPool& pool)
{
    const std::uint64_t largestSum = pool.limitBytes() / 8;
    std::size_t bytes = 0;
    const auto outputs = outputsOf(node);
    for (const Value& output : outputs)
        bytes += output.byteCount();
    if (bytes > largestSum || m_program.settledBytes > largestSum - bytes)
        return;
    const auto index = std::uint32_t(&node - m_graph.nodes.data());
    if (m_program.settled.emplace(index, std::vector<Value>(outputs.begin(), outputs.end())).second)
        m_program.settledBytes += bytes;
}

Result<bool> Executor::runKernel(KernelContext& context, const ExecNode& node)
{
    if (node.proceed == nullptr) {
        const Status status = runChecked(*node.kernel, context);
        return status ? Result<bool>(true) : Result<bool>(status.error());
    }
    ASSIGN_OR_RETURN(auto next, withinMemory(context.node().name(),
                                             [&] { return node.proceed(context, m_progress); }));
    if (!next) {
        m_progress = {};
        return true;
    }
    m_call = std::move(*next);
    return false;
}

Status Executor::checkOutputs(const ExecNode& node, const Node& definition) const
{
    if (node.kind == ExecKind::Switch)
        return Done{};
    for (std::uint32_t i = 0; i < node.outputs; ++i) {
        if (!m_outputs[i].isSet())
            return Error{ErrorCode::Internal, std::string(definition.name()) +
                                                  ": its kernel left output " + std::to_string(i) +
                                                  " unset"};
        const DType wanted = m_graph.outputType(node, std::int32_t(i));
        if (wanted != DType::Invalid && m_outputs[i].dtype() != wanted &&
            withoutReference(m_outputs[i].dtype()) != withoutReference(wanted))
            return Error{ErrorCode::InvalidArgument, std::string(definition.name()) +
                                                         ": its output " + std::to_string(i) +
                                                         " is " + dtypeName(m_outputs[i].dtype()) +
                                                         ", not " + dtypeName(wanted)};
    }
    return Done{};
}

const Node& Executor::caller() const
{
    return m_graph.graph->node(callerId());
}

NodeId Executor::callerId() const
{
    return m_graph.nodes[m_current.node].id;
}

void Executor::resume(std::vector<Value> results)
{
    m_progress.results = std::move(results);
    ++m_progress.calls;
}

void Executor::finishNode(const Task& task)
{
    passOn(task);
    for (Value& output : outputsOf(m_graph.nodes[task.node]))
        if (output.isSet())
            output = Value();
    --task.iteration->outstanding;
    if (task.iteration->outstanding == 0)
        finishIterations(task.iteration->frame);
}

Status Executor::keepFetches(const Task& task)
{
    const ExecNode& node = m_graph.nodes[task.node];
    if (!node.isFetched || task.dead)
        return Done{};
    const bool isOutside = task.iteration->frame == m_root || node.kind == ExecKind::Exit;
    for (std::size_t i = 0; i < m_fetched.size() && isOutside; ++i) {
        const FetchSource& fetch = m_graph.fetches[i];
        if (fetch.feed >= 0 || fetch.node != task.node)
            continue;
        const Value& output = m_outputs[std::size_t(fetch.port)];
        if (!isReferenceValue(output)) {
            m_fetched[i] = output;
            continue;
        }
        auto value = readReference(output);
        if (!value)
            return value.error().within(nameOf(task.node));
        m_fetched[i] = *std::move(value);
    }
    return Done{};
}

Result<std::vector<Value>> Executor::answer(const StepEnvironment& step)
{
    for (std::size_t i = 0; i < m_fetched.size(); ++i) {
        const FetchSource& fetch = m_graph.fetches[i];
        if (fetch.feed >= 0)
            m_fetched[i] = m_feeds[std::size_t(fetch.feed)];
        else if (!m_fetched[i].isSet() && m_program.emptyIfDead) {
            ASSIGN_OR_RETURN(m_fetched[i], Value::make(DType::Float, {0}, step.session.pool));
        } else if (!m_fetched[i].isSet())
            return Error{ErrorCode::InvalidArgument,
                         nameOf(fetch.node) + ": this tensor is dead or was never computed: its "
                                              "branch was not taken, or it is inside a loop"};
    }
    return std::move(m_fetched);
}

std::string Executor::nameOf(std::uint32_t node) const
{
    const NodeId id = m_graph.nodes[node].id;
    return id.isValid() ? std::string(m_graph.graph->node(id).name()) : "feed";
}

} // namespace lapidary
