#include "runner/execute/executor.h"

#include <utility>

namespace lapidary {
namespace {

bool isEnter(ExecKind kind)
{
    return kind == ExecKind::Enter || kind == ExecKind::ConstantEnter;
}

} // namespace

Executor::Executor(const ExecGraph& graph, Environment environment)
    : m_graph(graph)
    , m_environment(environment)
    , m_root(std::make_unique<Frame>())
    , m_fetched(graph.fetches.size())
    , m_isFetched(graph.nodes.size(), false)
    , m_begin(std::chrono::steady_clock::now())
{
    for (const FetchSource& fetch : graph.fetches)
        if (fetch.feed < 0)
            m_isFetched[fetch.node] = true;
}

Executor::~Executor() = default;

Executor::Iteration Executor::makeIteration(const Frame& frame) const
{
    Iteration iteration;
    iteration.nodes.resize(frame.plan->nodeCount);
    for (std::uint32_t i = 0; i < frame.plan->nodeCount; ++i) {
        const ExecNode& node = m_graph.nodes[frame.plan->nodes[i]];
        iteration.nodes[i].dataLeft = node.dataInputs;
        iteration.nodes[i].controlLeft = node.controlInputs;
        iteration.nodes[i].slots.resize(node.dataInputs);
    }
    return iteration;
}

Executor::Iteration& Executor::iteration(Frame& frame, std::uint64_t number)
{
    return frame.iterations[number - frame.first];
}

Result<std::vector<Value>> Executor::run(std::span<const Value> feeds)
{
    m_feeds = feeds;
    m_root->plan = &m_graph.frames.front();
    m_root->iterations.push_back(makeIteration(*m_root));
    start();
    if (const Status status = drain(); !status)
        return status.error();
    return answer(feeds);
}

void Executor::start()
{
    for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
        const ExecNode& node = m_graph.nodes[i];
        if (node.dataInputs + node.controlInputs == 0)
            queueIfReady(i, *m_root, 0);
    }
}

Status Executor::drain()
{
    constexpr std::size_t checkEvery = 16;
    for (std::size_t count = 0; !m_ready.empty(); ++count) {
        if (count % checkEvery == 0 && m_environment.job.cancelled())
            return Error{ErrorCode::Cancelled, "the run was cancelled"};
        const Task task = m_ready.front();
        m_ready.pop_front();
        if (const Status status = execute(task); !status)
            return status;
        --iteration(*task.frame, task.iteration).outstanding;
        finishIterations(task.frame);
    }
    return Done{};
}

Status Executor::execute(const Task& task)
{
    const ExecNode& node = m_graph.nodes[task.node];
    std::vector<Value> outputs(node.outputs);
    if (node.kind == ExecKind::Feed) {
        outputs[0] = m_feeds[node.feed];
    } else if (!task.dead) {
        if (m_environment.runsLeft-- == 0)
            return Error{ErrorCode::Unsupported,
                         nameOf(task.node) + ": the limit of executed nodes is reached; is this a "
                                             "loop that never ends?"};
        if (const Status status = runKernel(task, outputs); !status)
            return status;
    }
    keepFetches(task, outputs);
    passOn(task, outputs);
    return Done{};
}

Status Executor::runKernel(const Task& task, std::vector<Value>& outputs)
{
    const ExecNode& node = m_graph.nodes[task.node];
    NodeState& state = iteration(*task.frame, task.iteration).nodes[node.indexInFrame];
    std::vector<Value> inputs;
    inputs.reserve(state.slots.size());
    for (Slot& slot : state.slots)
        inputs.push_back(std::move(slot.value));
    if (node.kind != ExecKind::Merge) // a Merge's later tokens may still come
        state.slots.clear();
    const auto begin = std::chrono::steady_clock::now();
    KernelContext context(m_graph.graph->node(node.id), inputs, outputs, m_environment.session,
                          m_environment.nodeStates[node.id.value], m_environment.job,
                          m_environment.call);
    if (const Status status = node.kernel->run(context); !status)
        return status;
    const auto end = std::chrono::steady_clock::now();
    if (m_environment.observe) {
        NodeRun run{.node = node.id};
        run.startNanoseconds = std::chrono::nanoseconds(begin - m_begin).count();
        run.nanoseconds = std::chrono::nanoseconds(end - begin).count();
        for (const Value& output : outputs)
            run.outputBytes += output.byteCount();
        m_environment.observe(run, outputs);
    }
    for (std::uint32_t i = 0; i < outputs.size(); ++i)
        if (!outputs[i].isSet() && node.kind != ExecKind::Switch)
            return Error{ErrorCode::Internal, nameOf(task.node) + ": its kernel left output " +
                                                  std::to_string(i) + " unset"};
    return Done{};
}

// Where the outputs of a node go: its own iteration, the child frame, the parent, or the next
// iteration.
void Executor::passOn(const Task& task, std::span<const Value> outputs)
{
    const ExecNode& node = m_graph.nodes[task.node];
    Frame& frame = *task.frame;
    if (isEnter(node.kind)) {
        Frame& child = childFrame(task.node, frame, task.iteration);
        --child.entersLeft;
        if (node.kind == ExecKind::ConstantEnter && !task.dead)
            child.constants.emplace_back(task.node, outputs[0]);
        const bool everywhere = node.kind == ExecKind::ConstantEnter && !task.dead;
        const std::uint64_t last =
            everywhere ? child.first + child.iterations.size() - 1 : child.first;
        for (std::uint64_t i = child.first; i <= last; ++i)
            deliverAll(task.node, child, i, outputs, task.dead);
        finishIterations(&child);
        return;
    }
    if (node.kind == ExecKind::Exit) {
        if (!task.dead)
            deliverAll(task.node, *frame.parent, frame.parentIteration, outputs, false);
        else if (task.iteration == frame.first + frame.iterations.size() - 1)
            frame.deadExits.push_back(task.node);
        return;
    }
    if (node.kind == ExecKind::NextIteration) {
        if (task.dead)
            return;
        if (task.iteration == frame.first + frame.iterations.size() - 1)
            startNextIteration(frame);
        deliverAll(task.node, frame, task.iteration + 1, outputs, false);
        return;
    }
    deliverAll(task.node, frame, task.iteration, outputs, task.dead);
}

void Executor::deliverAll(std::uint32_t from, Frame& frame, std::uint64_t number,
                          std::span<const Value> outputs, bool dead)
{
    const ExecNode& node = m_graph.nodes[from];
    for (std::uint32_t e = 0; e < node.edgeCount; ++e) {
        const ExecEdge& edge = m_graph.edges[node.firstEdge + e];
        static const Value controlToken;
        const Value* value = nullptr;
        if (!dead)
            value = edge.port < 0 ? &controlToken : &outputs[std::size_t(edge.port)];
        deliver(edge, from, frame, number, value);
    }
}

// `value`: null for a dead token.
void Executor::deliver(const ExecEdge& edge, std::uint32_t from, Frame& frame, std::uint64_t number,
                       const Value* value)
{
    const ExecNode& target = m_graph.nodes[edge.target];
    NodeState& state = iteration(frame, number).nodes[target.indexInFrame];
    const bool isControl = edge.slot < 0;
    const bool dead = value == nullptr || (!isControl && !value->isSet());
    if (isControl) {
        --state.controlLeft;
        state.anyDead = state.anyDead || (dead && target.kind != ExecKind::Merge);
    } else if (state.queued) {
        return; // a further token of a Merge that is already decided
    } else {
        --state.dataLeft;
        Slot& slot = state.slots[std::size_t(edge.slot)];
        slot.arrived = true;
        slot.dead = dead;
        if (target.kind != ExecKind::Merge)
            state.anyDead = state.anyDead || dead;
        else if (dead)
            state.deadEnter = state.deadEnter || isEnter(m_graph.nodes[from].kind);
        if (!dead && (target.kind != ExecKind::Merge || !state.anyLive)) {
            slot.value = *value;
            state.liveSlot = std::uint32_t(edge.slot);
            state.anyLive = true;
        }
    }
    queueIfReady(edge.target, frame, number);
}

void Executor::queueIfReady(std::uint32_t node, Frame& frame, std::uint64_t number)
{
    const ExecNode& exec = m_graph.nodes[node];
    Iteration& at = iteration(frame, number);
    NodeState& state = at.nodes[exec.indexInFrame];
    if (state.queued || state.controlLeft > 0)
        return;
    Task task{node, &frame, number, state.anyDead};
    if (exec.kind == ExecKind::Merge) {
        if (!state.anyLive && !state.deadEnter && state.dataLeft > 0)
            return;
        task.dead = !state.anyLive;
    } else if (state.dataLeft > 0) {
        return;
    }
    if (exec.kind == ExecKind::ControlTrigger)
        task.dead = false;
    state.queued = true;
    ++at.outstanding;
    m_ready.push_back(task);
}

Executor::Frame& Executor::childFrame(std::uint32_t enter, Frame& parent, std::uint64_t number)
{
    std::uint32_t index = 0;
    const ExecNode& node = m_graph.nodes[enter];
    const std::string_view name =
        m_graph.graph->node(node.id).attr("frame_name").asString().value_or("");
    for (std::uint32_t i = 1; i < m_graph.frames.size(); ++i)
        if (m_graph.frames[i].parent == node.frame && m_graph.frames[i].name == name)
            index = i;
    std::unique_ptr<Frame>& child = parent.children[{number, index}];
    if (child)
        return *child;
    child = std::make_unique<Frame>();
    child->plan = &m_graph.frames[index];
    child->index = index;
    child->parent = &parent;
    child->parentIteration = number;
    child->entersLeft = child->plan->enterCount;
    child->iterations.push_back(makeIteration(*child));
    ++iteration(parent, number).childFrames;
    return *child;
}

void Executor::startNextIteration(Frame& frame)
{
    frame.iterations.push_back(makeIteration(frame));
    frame.deadExits.clear();
    const std::uint64_t number = frame.first + frame.iterations.size() - 1;
    for (const auto& [enter, value] : frame.constants)
        deliverAll(enter, frame, number, {&value, 1}, false);
}

// Drops iterations from the front as they come to their end; a frame without any left sends its
// dead exits to the parent, which may end in turn.
void Executor::finishIterations(Frame* frame)
{
    while (frame->parent != nullptr) {
        while (!frame->iterations.empty() && frame->iterations.front().outstanding == 0 &&
               frame->iterations.front().childFrames == 0 && frame->entersLeft == 0) {
            frame->iterations.pop_front();
            ++frame->first;
        }
        if (!frame->iterations.empty())
            return;
        Frame& parent = *frame->parent;
        const std::uint64_t number = frame->parentIteration;
        for (const std::uint32_t exit : frame->deadExits)
            deliverAll(exit, parent, number, {}, true);
        parent.children.erase({number, frame->index});
        --iteration(parent, number).childFrames;
        frame = &parent;
    }
}

void Executor::keepFetches(const Task& task, std::span<const Value> outputs)
{
    if (!m_isFetched[task.node] || task.dead)
        return;
    for (std::size_t i = 0; i < m_fetched.size(); ++i) {
        const FetchSource& fetch = m_graph.fetches[i];
        if (fetch.feed < 0 && fetch.node == task.node && task.frame->parent == nullptr)
            m_fetched[i] = outputs[std::size_t(fetch.port)];
        else if (fetch.feed < 0 && fetch.node == task.node &&
                 m_graph.nodes[task.node].kind == ExecKind::Exit)
            m_fetched[i] = outputs[std::size_t(fetch.port)];
    }
}

Result<std::vector<Value>> Executor::answer(std::span<const Value> feeds)
{
    std::vector<Value> values;
    for (std::size_t i = 0; i < m_fetched.size(); ++i) {
        const FetchSource& fetch = m_graph.fetches[i];
        if (fetch.feed >= 0) {
            values.push_back(feeds[std::size_t(fetch.feed)]);
            continue;
        }
        if (!m_fetched[i] || !m_fetched[i]->isSet())
            return Error{ErrorCode::InvalidArgument,
                         nameOf(fetch.node) + ": the fetched tensor is dead or was never computed: "
                                              "its branch was not taken, or it is inside a loop"};
        values.push_back(std::move(*m_fetched[i]));
    }
    return values;
}

std::string Executor::nameOf(std::uint32_t node) const
{
    const NodeId id = m_graph.nodes[node].id;
    return id.isValid() ? std::string(m_graph.graph->node(id).name()) : "feed";
}

} // namespace lapidary
