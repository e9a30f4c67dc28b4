// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/branch_frames.h"
#include "graph_model/scopes/loop_frames.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// The position of a node in the tree of scopes: in a loop or none, and in scopes by name inside it.
struct LoopPlace {
    std::uint32_t loop = DrawnLoop::none;
    std::string_view scopes; // components of the node's name, without its own
    // The sides of conditionals along the path, which are scopes too.
    struct Side {
        std::size_t after = 0; // number of characters of `scopes` before it
        std::string_view name;
        const Conditional* of = nullptr;
    };
    std::vector<Side> sides = {};
};

// Makes each loop one scope. If the scope of its condition contains little else, that scope is the
// loop, and other nodes with its name move out; otherwise the loop is a new scope inside it. Keeps
// views into the names of the graph. The cost of a node is proportional to the length of its name.
class LoopPlaces {
public:
    // `loops` and `branches` may be null.
    LoopPlaces(const Graph& graph, const LoopFrames* loops, const Branches* branches);

    LoopPlace of(NodeId id) const;
    // Returns the position of a loop's own scope; `name` is its component.
    LoopPlace ofLoop(std::uint32_t loop, std::string_view& name) const;
    // Returns whether a node is drawn on the frame of a loop, and not inside.
    bool isPort(NodeId id) const { return !m_isPort.empty() && m_isPort[id.value]; }
    std::size_t loops() const { return m_loops != nullptr ? m_loops->frames.size() : 0; }

private:
    bool hasDataInputs(NodeId id) const;
    std::uint32_t loopNamed(std::string_view scopes) const;
    std::string_view movedOut(std::string_view scopes, std::uint32_t loop) const;
    std::string_view below(std::uint32_t loop, std::string_view scopes) const;
    void addSides(NodeId id, LoopPlace& place) const;
    void countNames();

    const Graph& m_graph;
    const LoopFrames* m_loops;
    const Branches* m_branches;
    std::unordered_map<std::string_view, const Conditional*> m_conditionals; // by scope
    std::vector<bool> m_isPort;
    std::vector<std::string_view> m_scope;                         // of each loop's condition
    std::vector<bool> m_isWhole;                                   // the scope is the whole loop
    std::unordered_map<std::string_view, std::uint32_t> m_byScope; // by whole scope
};

} // namespace lapidary
