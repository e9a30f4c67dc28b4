// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/loop_frames.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint32_t noFrame = DrawnLoop::none;
constexpr std::size_t mostTests = 12; // nodes drawn as one condition

bool readsElement(std::string_view op)
{
    return op.starts_with("TensorArrayRead") || op == "TensorListGetItem";
}

bool writesElement(std::string_view op)
{
    return writesArray(op) || op == "TensorListSetItem";
}

class LoopFinder {
public:
    LoopFinder(const Graph& graph, const NodeParts* parts)
        : m_graph(graph)
        , m_parts(parts)
        , m_frameOf(graph.size(), noFrame)
    {
    }

    LoopFramesPtr run()
    {
        for (const NodeId id : topologicalOrder(m_graph))
            m_frameOf[id.value] = frameOf(id);
        collectConditions();
        dropOthers();
        if (m_found->frames.empty())
            return nullptr;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            collect(NodeId{i});
        for (std::uint32_t f = 0; f < m_found->frames.size(); ++f)
            collectTests(f);
        m_found->frameOf = m_frameOf;
        for (std::uint32_t f = 0; f < m_found->frames.size(); ++f)
            for (const LoopState& state : m_found->frames[f].states)
                if (state.exit.isValid())
                    m_found->frameOf[state.exit.value] = f;
        nameLoops(m_graph, *m_found);
        return m_found;
    }

private:
    std::string_view op(NodeId id) const { return m_graph.node(id).op(); }

    // Returns the frame of a node by that of its inputs; an Enter is one frame deeper, an Exit one
    // less deep.
    std::uint32_t frameOf(NodeId id)
    {
        std::uint32_t frame = noFrame;
        for (const Endpoint& from : m_graph.inputs(id)) {
            if (!from.node.isValid() || isNextIteration(op(from.node)))
                continue;
            const std::uint32_t one = m_frameOf[from.node.value];
            if (depth(one) > depth(frame))
                frame = one;
        }
        if (isExit(op(id)))
            return frame == noFrame ? noFrame : m_found->frames[frame].parent;
        return isEnter(op(id)) ? frameInside(frame, id) : frame;
    }

    std::uint32_t depth(std::uint32_t frame) const { return frame == noFrame ? 0 : m_depth[frame]; }

    std::uint32_t frameInside(std::uint32_t parent, NodeId enter)
    {
        const std::string_view name =
            m_graph.node(enter).attr("frame_name").asString().value_or("");
        const auto next = std::uint32_t(m_found->frames.size());
        const auto [known, isNew] = m_byName.try_emplace({parent, name}, next);
        if (isNew) {
            DrawnLoop& frame = m_found->frames.emplace_back();
            frame.name = name;
            frame.parent = parent;
            m_depth.push_back(depth(parent) + 1);
        }
        return known->second;
    }

    void collectConditions()
    {
        for (std::uint32_t i = 0; i < m_graph.size(); ++i)
            if (isLoopCond(op(NodeId{i})) && m_frameOf[i] != noFrame)
                m_found->frames[m_frameOf[i]].condition = NodeId{i};
    }

    // Removes frames without a condition; their nodes count for the enclosing loop.
    void dropOthers()
    {
        std::vector<std::uint32_t> newIndex(m_found->frames.size(), noFrame);
        std::vector<DrawnLoop> kept;
        for (std::size_t f = 0; f < newIndex.size(); ++f) {
            DrawnLoop& frame = m_found->frames[f];
            const std::uint32_t parent = frame.parent == noFrame ? noFrame : newIndex[frame.parent];
            newIndex[f] = parent;
            if (!frame.condition.isValid())
                continue;
            frame.parent = parent;
            newIndex[f] = std::uint32_t(kept.size());
            kept.push_back(std::move(frame));
        }
        m_found->frames = std::move(kept);
        for (std::uint32_t i = 0; i < m_frameOf.size(); ++i) {
            std::uint32_t& frame = m_frameOf[i];
            frame = frame == noFrame ? noFrame : newIndex[frame];
            if (frame != noFrame && !isBeside(NodeId{i}, m_found->frames[frame].condition))
                frame = noFrame;
        }
    }

    bool isBeside(NodeId a, NodeId b) const
    {
        return m_parts == nullptr || m_parts->of[a.value] == m_parts->of[b.value];
    }

    void collect(NodeId id)
    {
        if (m_frameOf[id.value] == noFrame)
            return;
        DrawnLoop& frame = m_found->frames[m_frameOf[id.value]];
        const Node& node = m_graph.node(id);
        if (isEnter(node.op()) && node.attr("is_constant").asBool().value_or(false))
            frame.invariants.push_back({{}, id});
        if (readsElement(node.op()))
            frame.reads.push_back({{}, id});
        if (!isMerge(node.op()))
            return;
        LoopState state;
        state.merge = id;
        if (setInputs(state) && setGate(state, frame.condition)) {
            setReaders(state);
            setWrite(state);
            frame.states.push_back(std::move(state));
        }
    }

    bool setInputs(LoopState& state) const
    {
        const std::uint32_t frame = m_frameOf[state.merge.value];
        for (const Endpoint& from : m_graph.inputs(state.merge)) {
            if (!from.node.isValid())
                return false;
            // A counter that only the gradients use belongs to the gradients.
            if (m_frameOf[from.node.value] != frame && !isNextIteration(op(from.node)))
                return false;
            if (isEnter(op(from.node)) && !m_graph.inputs(from.node).empty())
                state.enter = from.node;
            if (isNextIteration(op(from.node)) && !m_graph.inputs(from.node).empty())
                state.next = from.node;
        }
        return state.enter.isValid() && state.next.isValid();
    }

    bool setGate(LoopState& state, NodeId condition) const
    {
        for (const Consumer& reader : m_graph.consumers(state.merge)) {
            const auto inputs = m_graph.inputs(reader.node);
            if (reader.slot == 0 && isSwitch(op(reader.node)) && inputs.size() >= 2 &&
                inputs[1].node == condition && isBeside(reader.node, condition))
                state.gate = reader.node;
        }
        return state.gate.isValid();
    }

    void setReaders(LoopState& state) const
    {
        for (const Consumer& reader : m_graph.consumers(state.gate)) {
            if (reader.isControl() || !isBeside(reader.node, state.gate))
                continue;
            const auto inputs = m_graph.inputs(reader.node);
            if (reader.port == 1 && copiesInput(op(reader.node)) && inputs.size() == 1)
                state.copies.push_back(reader.node);
            if (reader.port == 0 && isExit(op(reader.node)) &&
                !m_graph.consumers(reader.node).empty())
                state.exit = reader.node;
        }
    }

    void setWrite(LoopState& state) const
    {
        constexpr int mostCopies = 4;
        NodeId reader = state.next;
        for (int hop = 0; hop <= mostCopies; ++hop) {
            const NodeId made = m_graph.inputs(reader)[0].node;
            if (!made.isValid() || !isOnlyReader(reader, made) ||
                m_frameOf[made.value] != m_frameOf[state.merge.value])
                return;
            if (writesElement(op(made))) {
                state.write = made;
                return;
            }
            if (!copiesInput(op(made)) || m_graph.inputs(made).size() != 1)
                return;
            reader = made;
        }
    }

    bool isOnlyReader(NodeId reader, NodeId of) const
    {
        return std::ranges::all_of(m_graph.consumers(of),
                                   [&](const Consumer& other) { return other.node == reader; });
    }

    // Collects the nodes of the condition, back to those whose values are used elsewhere.
    void collectTests(std::uint32_t f)
    {
        DrawnLoop& frame = m_found->frames[f];
        const auto isTest = [&](NodeId id) {
            return id == frame.condition || std::ranges::find(frame.tests, id) != frame.tests.end();
        };
        std::vector<NodeId> open{frame.condition};
        for (std::size_t i = 0; i < open.size(); ++i)
            for (const Endpoint& from : m_graph.inputs(open[i])) {
                const NodeId id = from.node;
                if (from.isControl() || !id.isValid() || m_frameOf[id.value] != f ||
                    controlFlow(op(id)) != ControlFlow::None || isTest(id) ||
                    frame.tests.size() == mostTests)
                    continue;
                const bool isOnly =
                    std::ranges::all_of(m_graph.consumers(id), [&](const Consumer& reader) {
                        return isTest(reader.node);
                    });
                if (!isOnly)
                    continue;
                frame.tests.push_back(id);
                open.push_back(id);
            }
    }

    const Graph& m_graph;
    const NodeParts* m_parts;
    std::vector<std::uint32_t> m_frameOf;
    std::vector<std::uint32_t> m_depth; // by frame, during the search
    std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> m_byName;
    std::shared_ptr<LoopFrames> m_found = std::make_shared<LoopFrames>();
};

} // namespace

bool LoopFrames::isInside(std::uint32_t inner, std::uint32_t outer) const
{
    while (inner != outer && inner != DrawnLoop::none)
        inner = frames[inner].parent;
    return inner == outer;
}

LoopFramesPtr findLoops(const Graph& graph, const NodeParts* parts)
{
    const bool hasLoops = std::ranges::any_of(
        graph.nodes(), [](const NodePtr& node) { return isLoopCond(node->op()); });
    return hasLoops ? LoopFinder(graph, parts).run() : nullptr;
}

} // namespace lapidary
