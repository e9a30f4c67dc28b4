// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/loop_folding.h"

#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/scope_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr int farthestSource = 16; // maximum number of nodes between a value and its source

class LoopFolder {
public:
    LoopFolder(const Graph& graph, const std::vector<NodeId>& pinned)
        : m_graph(graph)
        , m_pinned(pinned)
    {
        m_folds.into.resize(graph.size());
        m_folds.isCarrier.assign(graph.size(), false);
    }

    void addLoops(const LoopFrames& loops)
    {
        for (std::uint32_t loop = 0; loop < loops.frames.size(); ++loop) {
            for (const LoopState& state : loops.frames[loop].states)
                if (!foldUnread(state, loops.frames[loop]))
                    foldState(loop, state, loops.frameOf[state.next.value] == loop);
            for (const LoopInvariant& invariant : loops.frames[loop].invariants)
                foldInvariant(loops, loop, invariant);
            for (const LoopRead& read : loops.frames[loop].reads)
                m_folds.ports.emplace(
                    read.node, LoopPort{LoopPort::Kind::Read, loop, read.name, {read.node, 0}});
            foldCondition(loops, loop);
        }
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (loops.frameOf[i] != DrawnLoop::none)
                holdConstant(NodeId{i});
    }

    void addBranches(const Branches& branches)
    {
        for (const auto& [gate, reader] : branches.passesTo)
            fold(gate, reader);
        for (const Conditional& conditional : branches.conditionals) {
            for (const NodeId test : conditional.tests)
                fold(test, conditional.predicate);
            if (copiesInput(m_graph.node(conditional.predicate).op()))
                m_folds.ports.emplace(conditional.predicate, LoopPort{LoopPort::Kind::Test,
                                                                      DrawnLoop::none,
                                                                      conditional.says,
                                                                      {conditional.predicate, 0}});
        }
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (branches.sideOf[i] != 0) {
                holdConstant(NodeId{i});
                nameValue(NodeId{i}, branches);
            }
    }

    LoopFolds finish() { return std::move(m_folds); }

private:
    // Keeps a constant on the frame or side for which a carrier holds it, so that it is not drawn
    // as an edge.
    void holdConstant(NodeId id)
    {
        if (isConstant(m_graph.node(id).op()))
            m_folds.way.emplace(id, id);
    }

    void fold(NodeId id, NodeId into)
    {
        m_folds.isCarrier[id.value] = true;
        if (id != into && !std::binary_search(m_pinned.begin(), m_pinned.end(), id))
            m_folds.into[id.value] = into;
    }

    // `isWhole`: the next value is in the same part as the loop.
    void foldState(std::uint32_t loop, const LoopState& state, bool isWhole)
    {
        if (isKept(state) || !isWhole)
            return foldKept(loop, state, isWhole);
        const bool isArray = state.write.isValid();
        const NodeId box = isArray ? state.next : state.merge;
        fold(state.enter, box);
        fold(state.merge, box);
        fold(state.gate, box);
        for (const NodeId copy : state.copies)
            fold(copy, box);
        fold(state.next, state.next);
        m_folds.way.emplace(state.gate, state.merge);
        if (state.exit.isValid()) {
            fold(state.exit, state.next);
            m_folds.way.emplace(state.exit, state.next);
        }
        // A state that no node reads needs a box of its own.
        for (const Consumer& reader : m_graph.consumers(state.gate))
            if (isExit(m_graph.node(reader.node).op()))
                m_folds.way.emplace(reader.node, state.next);
        if (!isArray) {
            m_folds.ports.emplace(
                state.merge, LoopPort{LoopPort::Kind::State, loop, state.name, {state.merge, 0}});
            m_folds.ports.emplace(
                state.next, LoopPort{LoopPort::Kind::Next, loop, state.name, {state.next, 0}});
            return;
        }
        for (NodeId at = m_graph.inputs(state.next)[0].node; at != state.write;
             at = m_graph.inputs(at)[0].node)
            fold(at, state.next);
        fold(state.write, state.next);
        m_folds.ports.emplace(
            state.next, LoopPort{LoopPort::Kind::Array, loop, state.name, written(state.write)});
    }

    // Draws a value that only circulates, like an unused limit of iterations, on the condition.
    // Returns false if the value is used, or there is no condition to draw it on.
    bool foldUnread(const LoopState& state, const DrawnLoop& frame)
    {
        if (frame.tests.empty() || !isKept(state) || state.exit.isValid())
            return false;
        std::vector<NodeId> ring{state.enter, state.merge, state.gate, state.next};
        ring.insert(ring.end(), state.copies.begin(), state.copies.end());
        const auto isOnRing = [&](const Consumer& reader) {
            return std::ranges::find(ring, reader.node) != ring.end();
        };
        const auto isLeft = [&](NodeId id) {
            return std::ranges::all_of(m_graph.consumers(id), isOnRing);
        };
        if (!std::ranges::all_of(ring, isLeft))
            return false;
        for (const NodeId id : ring)
            fold(id, frame.tests.front());
        return true;
    }

    // Returns whether the body passes a value on unchanged.
    bool isKept(const LoopState& state) const
    {
        const NodeId given = m_graph.inputs(state.next)[0].node;
        return given == state.gate || std::ranges::find(state.copies, given) != state.copies.end();
    }

    void foldKept(std::uint32_t loop, const LoopState& state, bool isWhole)
    {
        for (const NodeId id : {state.enter, state.gate})
            fold(id, state.merge);
        if (isWhole)
            fold(state.next, state.merge);
        for (const NodeId copy : state.copies)
            fold(copy, state.merge);
        m_folds.way.emplace(state.gate, state.merge);
        if (state.exit.isValid())
            fold(state.exit, state.merge);
        m_folds.isCarrier[state.merge.value] = true;
        m_folds.ports.emplace(
            state.merge, LoopPort{LoopPort::Kind::Invariant, loop, state.name, {state.merge, 0}});
    }

    // Draws a value that several nodes on one side of a conditional read as a pill there.
    void nameValue(NodeId gate, const Branches& branches)
    {
        const auto readers = m_graph.consumers(gate);
        const auto inputs = m_graph.inputs(gate);
        if (!isSwitch(m_graph.node(gate).op()) || branches.sideOf[gate.value] == 0 ||
            readers.empty() || inputs.empty() || !inputs[0].node.isValid() ||
            m_folds.isCarrier[gate.value])
            return;
        const std::int32_t port = readers.front().port;
        if (port < 0 || std::ranges::any_of(
                            readers, [&](const Consumer& reader) { return reader.port != port; }))
            return;
        NodeId from = inputs[0].node;
        for (int hop = 0; hop < farthestSource && passesOn(from); ++hop)
            from = m_graph.inputs(from)[0].node;
        m_folds.ports.emplace(gate, LoopPort{LoopPort::Kind::Invariant,
                                             DrawnLoop::none,
                                             std::string(leafName(m_graph.node(from).name())),
                                             {gate, port}});
    }

    bool passesOn(NodeId id) const
    {
        const std::string_view op = m_graph.node(id).op();
        const auto inputs = m_graph.inputs(id);
        return (passesInputOn(op) || isSwitch(op) || isEnter(op)) && !inputs.empty() &&
               inputs[0].node.isValid();
    }

    // Returns the value that is written into an array: TensorArrayWrite(handle, index, value,
    // flow), TensorListSetItem(list, index, item).
    Endpoint written(NodeId write) const
    {
        const auto inputs = m_graph.inputs(write);
        return inputs.size() > 2 ? inputs[2] : Endpoint{};
    }

    // Draws a value for one op as an edge to that op, and a value for several on the frame.
    void foldInvariant(const LoopFrames& loops, std::uint32_t loop, const LoopInvariant& invariant)
    {
        NodeId reader;
        bool isOne = true;
        for (const Consumer& consumer : m_graph.consumers(invariant.enter)) {
            isOne = isOne && !consumer.isControl() &&
                    (!reader.isValid() || reader == consumer.node) &&
                    loops.isInside(loops.frameOf[consumer.node.value], loop);
            reader = consumer.node;
        }
        if (isOne && reader.isValid())
            fold(invariant.enter, reader);
        else
            m_folds.ports.emplace(
                invariant.enter,
                LoopPort{LoopPort::Kind::Invariant, loop, invariant.name, {invariant.enter, 0}});
    }

    void foldCondition(const LoopFrames& loops, std::uint32_t loop)
    {
        const DrawnLoop& frame = loops.frames[loop];
        const auto inputs = m_graph.inputs(frame.condition);
        if (inputs.empty() || !inputs[0].node.isValid() ||
            loops.frameOf[inputs[0].node.value] != loop)
            return;
        fold(frame.condition, inputs[0].node);
        if (frame.tests.empty())
            return;
        const NodeId shown = frame.tests.front();
        for (const NodeId test : frame.tests)
            if (test != shown && !isConstant(m_graph.node(test).op()))
                fold(test, shown);
        m_folds.ports.emplace(shown, LoopPort{LoopPort::Kind::Test, loop, {}, {shown, 0}});
    }

    const Graph& m_graph;
    const std::vector<NodeId>& m_pinned;
    LoopFolds m_folds;
};

} // namespace

LoopFolds foldLoops(const Graph& graph, const LoopFrames* loops, const Branches* branches,
                    const std::vector<NodeId>& pinned)
{
    LoopFolder folder(graph, pinned);
    if (loops != nullptr)
        folder.addLoops(*loops);
    if (branches != nullptr)
        folder.addBranches(*branches);
    return folder.finish();
}

} // namespace lapidary
