// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// The origins of the nodes of a new version, and the successors of the old ones.
struct Lineage {
    struct Removal {
        std::string reason;             // a sentence: "folded into conv1 as its weights"
        std::vector<NodeId> successors; // IDs of the successors in the new graph; may be empty
    };
    std::vector<std::vector<NodeId>> origins; // for each new node, its IDs in the old graph
    std::vector<NodeId> successor;            // for each old node, its ID in the new graph if kept
    std::map<NodeId, Removal> removed;        // by ID in the old graph
};

struct EditResult {
    GraphPtr graph; // the same pointer if nothing was changed
    Lineage lineage;
    std::size_t changes = 0;
    // The number of matches that the edit rewrote; each may have changed several nodes. Equal to
    // `changes` unless countPlaces() was called.
    std::size_t places = 0;
};

// Returns whether a draft equals the node. Weights are compared last, only if everything else is
// the same, and never copied.
bool saysTheSame(const NodeDraft& draft, const Node& node);

// Collects changes to one graph and applies them at once; the only way to make a new version.
// Unchanged nodes are shared. IDs are those of the base graph; nodes added here are referred to by
// name.
class GraphEdit {
public:
    explicit GraphEdit(GraphPtr base);

    // Appends a node; `origins` are the base nodes that it replaces.
    void add(NodeDraft node, std::vector<NodeId> origins = {});
    // Inserts a node after base node `at`, after the nodes inserted there before.
    void addAt(NodeId at, NodeDraft node, std::vector<NodeId> origins = {});
    // Moves a base node after `at`, after the nodes moved or inserted there before.
    void moveTo(NodeId id, NodeId at);
    // Replaces a node by a changed one (attributes, inputs, op, device, name). `moreOrigins`: other
    // base nodes that it also replaces.
    void replace(NodeId id, NodeDraft node, std::vector<NodeId> moreOrigins = {});
    // Changes a few fields of a node, many times faster than with a draft. Must not be used for a
    // node that has a draft.
    struct Fields { // unset fields stay
        std::optional<std::string> op;
        std::optional<std::string> device;
        std::optional<std::string> oldAttr; // renamed to `newAttr`; removed if that is not set
        std::optional<std::string> newAttr; // or if the node has it already
        bool operator==(const Fields&) const = default;
    };
    void setFields(NodeId id, const Fields& fields);
    void remove(NodeId id, std::string reason);
    // Changes the name and every input string that refers to it.
    void rename(NodeId id, std::string newName);
    // Removes a node that passes its first data input through: readers read that input instead and
    // take over the node's control inputs.
    void bypass(NodeId id, std::string reason);
    // Makes every reader of `from` ("node" or "node:1", "^node") read `to` instead, except `to`
    // itself and added nodes. Redirects are followed: a -> b and b -> c make readers of a read c.
    void redirect(std::string_view from, std::string_view to);

    // Adds to the number of matches in the result.
    void countPlaces(std::size_t places);

    // Applies the changes. Errors name the node: names that are not unique, a bypass without data
    // input or of a node whose other outputs are read, redirects in a cycle. References to removed
    // nodes stay unchanged. Names that were duplicates in the base may remain duplicates.
    Result<EditResult> finish() &&;

private:
    friend class EditRun;
    friend class EditRewiring;

    struct Place { // nodes are in the order of (at, turn); a base node is at its own ID, turn 0
        std::uint32_t at = 0;
        std::uint32_t turn = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Addition {
        NodeDraft draft;
        std::vector<NodeId> origins;
        Place place;
    };
    struct Change { // one for each base node that changes
        NodeId id;
        std::unique_ptr<NodeDraft> draft; // rarely used, and large
        std::size_t fields = 0;           // index into m_fields plus 1; 0: none
        std::vector<NodeId> moreOrigins;
        std::optional<std::string> newName;
        std::optional<std::string> removedFor;
        bool isBypassed = false;
    };
    Change& changeOf(NodeId id);
    // Returns null if there is none.
    Change* findChange(NodeId id);
    const Change* findChange(NodeId id) const;

    GraphPtr m_base;
    std::vector<Addition> m_added;
    std::deque<Change> m_changes;
    std::vector<std::uint32_t> m_changeAt; // by base node: index into m_changes plus 1; 0: none
    std::vector<Fields> m_fields;
    std::unordered_map<std::string, std::string> m_redirects;
    std::vector<Place> m_moved; // by base node, if any was moved
    std::uint32_t m_turns = 0;
    std::optional<std::size_t> m_places;
};

} // namespace lapidary
