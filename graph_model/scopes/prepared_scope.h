// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/scopes/scope_tree.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lapidary {

struct PrepareOptions {
    bool fold = true;  // constants, identities and reads fold into their reader
    bool loops = true; // nodes that only carry values round a loop fold into pills on its frame
    // items with more neighbors in one scope become stubs; 0: no limit
    std::uint32_t hubDegree = 50;
    std::vector<NodeId> pinned; // sorted; nodes that the user wants neither folded nor cut
    std::vector<NodeId> hidden; // sorted; hidden by the user (op or expression)
};

enum class EdgeKind : std::uint8_t { Data, Control, Reference };

// One edge of the graph: input `slot` of `reader`.
struct GraphEdge {
    NodeId reader;
    std::uint32_t slot = 0;
    bool operator==(const GraphEdge&) const = default;
    // A key that is unique in the graph.
    std::uint64_t key() const { return (std::uint64_t(reader.value) << 32) | slot; }
};

// A child of the scope as it will be drawn.
struct PreparedItem {
    ItemId item;
    std::vector<NodeId> folded; // drawn as chips on its right edge
    bool isHub = false;         // its edges are stubs
};

// All graph edges of one kind between the same two children, or between a child and the outside.
struct PreparedEdge {
    static constexpr std::int32_t outside = -1;
    std::int32_t from = outside; // index into items
    std::int32_t to = outside;
    EdgeKind kind = EdgeKind::Data;
    bool isBack = false;          // closes a loop (NextIteration -> Merge, or found by search)
    bool isStub = false;          // touches a hub: drawn as a labeled stub at each side
    bool isInner = false;         // from == to: between a box and a node folded into it, or a
                                  // node that reads itself (isBack); only the latter is drawn
    std::vector<GraphEdge> edges; // the bundled edges, in node and slot order; never empty
};

// A node that represents a value on the frame of a loop.
struct LoopPort {
    enum class Kind : std::uint8_t {
        State,     // a value at the beginning of an iteration
        Next,      // its new value after the iteration
        Array,     // an addition to an array
        Invariant, // a value that stays the same
        Read,      // an element of an array
        Test,      // the condition
    };
    Kind kind = Kind::State;
    std::uint32_t loop = DrawnLoop::none;
    std::string name;
    Endpoint shown; // the tensor whose shape is shown

    bool isAbove() const { return kind == Kind::State || kind == Kind::Invariant; }
    bool isBelow() const { return kind == Kind::Next || kind == Kind::Array; }
};
using LoopPorts = std::unordered_map<NodeId, LoopPort>;

// The reason why a node has no box of its own in the picture.
struct HiddenNode {
    NodeId node;
    ItemId into;      // the box that shows it (the first of several); invalid if none does
    std::string rule; // "constant folded into its only reader conv1/Conv2D"
};

// One scope prepared for layout. Folding is decided on the whole graph, so that a scope's content
// does not depend on which groups are open. An edge with only one node inside the scope has
// `outside` for the other. Every input string that leads to a node is in exactly one edge without
// `outside`, in the lowest scope that shows both nodes; only edges of nodes hidden by the user are
// missing.
struct PreparedScope {
    GroupId group;
    // in the order of Group::children, without items that show nothing
    std::vector<PreparedItem> items;
    std::vector<PreparedEdge> edges;
};

// Decides folding and hubs for a whole graph once, then prepares scopes on demand.
class Preparation {
public:
    static Result<std::shared_ptr<const Preparation>>
    make(GraphPtr graph, ScopeTreePtr tree, const PrepareOptions& options, const Job& job);

    PreparedScope scope(GroupId id) const; // O(edges of all nodes in the scope)

    // Returns the item that shows this node when everything is open: the node itself, or the one
    // that it is folded into.
    ItemId shownBy(NodeId id) const;
    // Returns null if the node has a box of its own.
    const HiddenNode* hidden(NodeId id) const;
    // Returns null if the node's box shows only the node.
    const LoopPort* port(NodeId id) const;
    // Returns whether the node is folded because it only depends on sizes of tensors and constants.
    bool isFoldedSize(NodeId id) const;
    const Graph& graph() const { return *m_graph; }
    const GraphPtr& sharedGraph() const { return m_graph; }
    const ScopeTree& tree() const { return *m_tree; }
    const ScopeTreePtr& sharedTree() const { return m_tree; }

private:
    Preparation() = default;
    struct Data;
    GraphPtr m_graph;
    ScopeTreePtr m_tree;
    std::shared_ptr<const Data> m_data;
};
using PreparationPtr = std::shared_ptr<const Preparation>;

} // namespace lapidary
