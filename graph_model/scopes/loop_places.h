// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/branch_frames.h"
#include "graph_model/scopes/loop_frames.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// The position of a node in the tree of scopes: in a loop, or in none, and below it in scopes by
// name.
struct LoopPlace {
    std::uint32_t loop = DrawnLoop::none;
    std::string_view scopes; // components of the node's name, without the one that is its own
    // The sides of conditionals on the way, which are scopes too.
    struct Side {
        std::size_t after = 0; // so many letters of `scopes`
        std::string_view name;
        const Conditional* of = nullptr;
    };
    std::vector<Side> sides = {};
};

// Makes each loop one scope. Where the scope of its condition holds little else, that is the loop,
// and what else is named like it moves out; otherwise the loop is a new scope there. Keeps views
// into the names of the graph. A node costs as much as its name is long.
class LoopPlaces {
public:
    // `loops` and `branches` may be null.
    LoopPlaces(const Graph& graph, const LoopFrames* loops, const Branches* branches);

    LoopPlace of(NodeId id) const;
    // Returns the position of a loop's own scope; `name` is its component.
    LoopPlace ofLoop(std::uint32_t loop, std::string_view& name) const;
    // Tells whether a node is drawn on the frame of a loop, and not among what is inside.
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
    std::vector<bool> m_isWhole;                                   // the scope is the loop
    std::unordered_map<std::string_view, std::uint32_t> m_byScope; // of whole ones
};

} // namespace lapidary
