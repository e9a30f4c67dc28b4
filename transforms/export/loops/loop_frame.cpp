// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/loops/loop_frame.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

using Path = std::vector<std::string>; // frames, outermost first

class FrameSearch {
public:
    explicit FrameSearch(const Graph& graph)
        : m_graph(graph)
        , m_order(topologicalOrder(graph))
        , m_paths(graph.size())
    {
        // Without control edges, an Enter of a constant does not show which frames are around it;
        // other Enters into the same frame do. So there are two rounds.
        for (const int round : {1, 2}) {
            for (const NodeId id : m_order)
                m_paths[id.value] = pathOf(id);
            for (const NodeId id : m_order)
                if (round == 1 && isEnter(m_graph.node(id).op()))
                    keepLonger(m_frames[frameName(id)], m_paths[id.value]);
        }
    }

    FoundLoop innermost(const std::set<std::string>& kept) const
    {
        std::vector<const Path*> paths; // of loops, the deepest first
        for (const NodeId id : m_order)
            if (isMerge(m_graph.node(id).op()) && isLoopMerge(id) &&
                std::ranges::none_of(paths, [&](auto* path) { return *path == m_paths[id.value]; }))
                paths.push_back(&m_paths[id.value]);
        std::ranges::stable_sort(paths, std::greater(), [](auto* path) { return path->size(); });
        for (const Path* path : paths) {
            if (path->empty())
                return {std::nullopt, true};
            FoundLoop found = collect(*path);
            if (!found.frame ||
                !kept.contains(std::string(m_graph.node(found.frame->condition).name())))
                return found;
        }
        return {};
    }

private:
    bool isLoopMerge(NodeId id) const
    {
        return std::ranges::any_of(m_graph.inputs(id), [&](const Endpoint& from) {
            return from.node.isValid() && isNextIteration(m_graph.node(from.node).op());
        });
    }

    static void keepLonger(Path& path, const Path& other)
    {
        if (other.size() > path.size())
            path = other;
    }

    std::string frameName(NodeId enter) const
    {
        return std::string(m_graph.node(enter).attr("frame_name").asString().value_or(""));
    }

    // Returns the frames of a node: those of its inputs; one more for an Enter, one less after an
    // Exit.
    Path pathOf(NodeId id) const
    {
        Path path;
        for (const Endpoint& from : m_graph.inputs(id)) {
            if (!from.node.isValid() || isNextIteration(m_graph.node(from.node).op()))
                continue;
            const Path& one = m_paths[from.node.value];
            if (one.size() > path.size())
                path = one;
        }
        const Node& node = m_graph.node(id);
        if (isEnter(node.op())) {
            path.push_back(frameName(id));
            if (const auto known = m_frames.find(path.back()); known != m_frames.end())
                keepLonger(path, known->second);
        }
        if (isExit(node.op()) && !path.empty())
            path.pop_back();
        return path;
    }

    FoundLoop collect(const Path& path) const
    {
        LoopFrame frame;
        frame.isInside.assign(m_graph.size(), false);
        frame.isOwnExit.assign(m_graph.size(), false);
        for (const NodeId id : m_order) {
            const Node& node = m_graph.node(id);
            if (m_paths[id.value] != path) {
                if (isExit(node.op()) && readsFrame(id, path)) {
                    frame.exits.push_back(id);
                    frame.isOwnExit[id.value] = true;
                }
                continue;
            }
            frame.isInside[id.value] = true;
            frame.nodes.push_back(id);
            if (isLoopCond(node.op()))
                frame.condition = id;
            if (isMerge(node.op()) && isLoopMerge(id)) {
                const auto variable = variableOf(id);
                if (!variable)
                    return {std::nullopt, true};
                frame.variableAt.emplace(id.value, frame.variables.size());
                frame.variables.push_back(*variable);
            }
        }
        if (!frame.condition.isValid())
            return {std::nullopt, true};
        return {std::move(frame), false};
    }

    bool readsFrame(NodeId exit, const Path& path) const
    {
        const auto inputs = m_graph.inputs(exit);
        return !inputs.empty() && inputs[0].node.isValid() && m_paths[inputs[0].node.value] == path;
    }

    std::optional<LoopFrame::Variable> variableOf(NodeId merge) const
    {
        const auto inputs = m_graph.inputs(merge);
        if (inputs.size() != 2)
            return std::nullopt;
        LoopFrame::Variable variable{.merge = merge, .start = {}, .next = {}};
        for (const Endpoint& from : inputs) {
            const std::string_view op = m_graph.node(from.node).op();
            const auto before = m_graph.inputs(from.node);
            if (before.empty())
                return std::nullopt;
            if (isNextIteration(op))
                variable.next = before[0];
            else if (isEnter(op))
                variable.start = before[0];
        }
        if (!variable.start.node.isValid() || !variable.next.node.isValid())
            return std::nullopt;
        return variable;
    }

    const Graph& m_graph;
    std::vector<NodeId> m_order;
    std::vector<Path> m_paths;            // by node
    std::map<std::string, Path> m_frames; // by name, with the frames around it
};

} // namespace

FoundLoop findInnermostLoop(const Graph& graph, const std::set<std::string>& kept)
{
    return FrameSearch(graph).innermost(kept);
}

} // namespace lapidary
