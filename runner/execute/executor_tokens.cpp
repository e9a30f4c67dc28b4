// SPDX-License-Identifier: Apache-2.0
// The movement of tokens: from a node to its readers, into and out of frames, and from one
// iteration to the next.
#include "runner/execute/executor.h"

#include <utility>

namespace lapidary {
namespace {

bool isEnterKind(ExecKind kind)
{
    return kind == ExecKind::Enter || kind == ExecKind::ConstantEnter;
}

} // namespace

// Sends the outputs of a node on: to its own iteration, the child frame, the parent, or the next
// iteration.
void Executor::passOn(const Task& task)
{
    const ExecNode& node = m_graph.nodes[task.node];
    Iteration& iteration = *task.iteration;
    Frame& frame = *iteration.frame;
    const bool isNewest = &iteration == frame.iterations.back();
    switch (node.kind) {
    case ExecKind::Enter:
    case ExecKind::ConstantEnter: {
        Frame& child = childFrame(node, iteration);
        --child.entersLeft;
        const bool everywhere = node.kind == ExecKind::ConstantEnter && !task.dead;
        if (everywhere)
            child.constants.emplace_back(task.node, m_outputs[0]);
        for (std::size_t i = 0; i < (everywhere ? child.iterations.size() : 1); ++i) {
            Value copy = task.dead ? Value() : m_outputs[0];
            deliverAll(node, *child.iterations[i], {&copy, 1}, task.dead);
        }
        finishIterations(&child);
        return;
    }
    case ExecKind::Exit:
        if (!task.dead)
            deliverAll(node, *frame.parent, m_outputs, false);
        else if (isNewest)
            frame.deadExits.push_back(task.node);
        return;
    case ExecKind::NextIteration:
        if (task.dead)
            return;
        if (isNewest)
            startNextIteration(frame);
        deliverAll(node, *frame.iterations[iteration.number + 1 - frame.iterations.front()->number],
                   m_outputs, false);
        return;
    default: deliverAll(node, iteration, m_outputs, task.dead);
    }
}

void Executor::deliverAll(const ExecNode& node, Iteration& to, std::span<Value> outputs, bool dead)
{
    for (std::uint32_t e = 0; e < node.edgeCount; ++e) {
        const ExecEdge& edge = m_graph.edges[node.firstEdge + e];
        Value* value = nullptr;
        if (!dead)
            value = edge.port < 0 ? &m_controlToken : &outputs[std::size_t(edge.port)];
        deliver(edge, node.kind, to, value);
    }
}

// `value`: null for a dead token.
void Executor::deliver(const ExecEdge& edge, ExecKind from, Iteration& to, Value* value)
{
    const ExecNode& target = m_graph.nodes[edge.target];
    NodeState& state = to.nodes[target.indexInFrame];
    const bool isControl = edge.slot < 0;
    const bool isMerge = target.kind == ExecKind::Merge;
    const bool dead = value == nullptr || (!isControl && !value->isSet());
    if (isControl) {
        --state.controlLeft;
        state.anyDead = state.anyDead || (dead && !isMerge);
    } else if (state.queued) {
        return; // another token for a Merge that has its value already
    } else {
        --state.dataLeft;
        if (!isMerge)
            state.anyDead = state.anyDead || dead;
        else if (dead)
            state.deadEnter = state.deadEnter || isEnterKind(from);
        if (!dead && (!isMerge || !state.anyLive)) {
            Value& slot = to.slots[target.frameSlot + std::uint32_t(edge.slot)];
            if (edge.isLast)
                slot = std::move(*value);
            else
                slot = *value;
            state.anyLive = true;
        }
    }
    queueIfReady(edge.target, target, to);
}

void Executor::queueIfReady(std::uint32_t node, const ExecNode& exec, Iteration& iteration)
{
    NodeState& state = iteration.nodes[exec.indexInFrame];
    if (state.queued || state.controlLeft > 0)
        return;
    Task task{node, state.anyDead, &iteration};
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
    ++iteration.outstanding;
    m_ready.push(task);
}

void Executor::startNextIteration(Frame& frame)
{
    Iteration* next = newIteration(frame, frame.iterations.back()->number + 1);
    frame.iterations.push_back(next);
    frame.deadExits.clear();
    for (const auto& [enter, value] : frame.constants) {
        Value copy = value;
        deliverAll(m_graph.nodes[enter], *next, {&copy, 1}, false);
    }
}

// Drops finished iterations from the front. A frame without any left sends its dead exits to the
// parent, which may end in turn.
void Executor::finishIterations(Frame* frame)
{
    while (frame != m_root) {
        while (!frame->iterations.empty() && frame->entersLeft == 0 &&
               frame->iterations.front()->outstanding == 0 &&
               frame->iterations.front()->children.empty()) {
            release(frame->iterations.front());
            frame->iterations.pop_front();
        }
        if (!frame->iterations.empty())
            return;
        Iteration& parent = *frame->parent;
        for (const std::uint32_t exit : frame->deadExits)
            deliverAll(m_graph.nodes[exit], parent, {}, true);
        std::erase(parent.children, frame);
        release(frame);
        frame = parent.frame;
    }
    // Iterations of a loop in the root frame (NextIteration without Enter).
    while (m_root->iterations.size() > 1 && m_root->iterations.front()->outstanding == 0 &&
           m_root->iterations.front()->children.empty()) {
        release(m_root->iterations.front());
        m_root->iterations.pop_front();
    }
}

} // namespace lapidary
