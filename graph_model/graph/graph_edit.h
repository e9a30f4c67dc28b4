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

// Where the nodes of a new version come from and where those of the old one went.
struct Lineage {
    struct Removal {
        std::string reason;             // a sentence: "folded into conv1 as its weights"
        std::vector<NodeId> successors; // ids in the new graph that carry on its work; may be empty
    };
    std::vector<std::vector<NodeId>> origins; // for each new node, ids in the old graph
    std::vector<NodeId> successor;            // for each old node its id in the new graph, if kept
    std::map<NodeId, Removal> removed;        // by id in the old graph
};

struct EditResult {
    GraphPtr graph; // the very same pointer where nothing was changed
    Lineage lineage;
    std::size_t changes = 0;
    // How often the edit did what it does: rewrites of a pattern, say, each of which may change
    // several nodes. As many as `changes` where nobody counted them.
    std::size_t places = 0;
};

// Whether a draft says what the node says already. Weights are compared, not copied, but where
// everything else is the same.
bool saysTheSame(const NodeDraft& draft, const Node& node);

// Collects changes to one graph and applies them at once: the only way to a new version. Unchanged
// nodes are shared. Ids are those of the base graph; nodes added here are named by their name.
class GraphEdit {
public:
    explicit GraphEdit(GraphPtr base);

    // Appends a node; `origins` are the base nodes whose work it does.
    void add(NodeDraft node, std::vector<NodeId> origins = {});
    // The same, but where base node `at` stands, behind what was placed there before.
    void addAt(NodeId at, NodeDraft node, std::vector<NodeId> origins = {});
    // Lets a base node stand where `at` stands, behind what was placed there before.
    void moveTo(NodeId id, NodeId at);
    // A changed node in the place of the old one (attributes, inputs, op, device, name).
    // `moreOrigins`: other base nodes whose work it does from now on.
    void replace(NodeId id, NodeDraft node, std::vector<NodeId> moreOrigins = {});
    // The same for a few fields, many times faster than by a draft; not for a node that has one.
    struct Fields { // what is not set stays
        std::optional<std::string> op;
        std::optional<std::string> device;
        std::optional<std::string> oldAttr; // gets the name `newAttr`; is removed where there is
        std::optional<std::string> newAttr; // none, or the node has it already
        bool operator==(const Fields&) const = default;
    };
    void setFields(NodeId id, const Fields& fields);
    void remove(NodeId id, std::string reason);
    // Changes the name and every input string that refers to it.
    void rename(NodeId id, std::string newName);
    // Removes a node that passes its first data input through: readers read that input instead and
    // take over the node's control inputs.
    void bypass(NodeId id, std::string reason);
    // Lets every reader of `from` ("node" or "node:1", "^node") read `to` instead, `to` itself and
    // added nodes excepted. Followed from one to the next: a -> b and b -> c make readers of a read
    // c.
    void redirect(std::string_view from, std::string_view to);

    // Adds to the places of the result.
    void countPlaces(std::size_t places);

    // An error names the node: names that are not unique, a bypass without data input or of a node
    // whose other outputs are read, redirects in a circle. References to removed nodes stay as they
    // are. Names that were used twice in the base may remain so.
    Result<EditResult> finish() &&;

private:
    friend class EditRun;
    friend class EditRewiring;

    struct Place { // nodes are in the order of (at, turn); base nodes stand at their own id, turn 0
        std::uint32_t at = 0;
        std::uint32_t turn = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Addition {
        NodeDraft draft;
        std::vector<NodeId> origins;
        Place place;
    };
    struct Change { // one for each base node that is asked to change
        NodeId id;
        std::unique_ptr<NodeDraft> draft; // seldom there, and large
        std::size_t fields = 0;           // of m_fields, from 1 on; 0: none
        std::vector<NodeId> moreOrigins;
        std::optional<std::string> newName;
        std::optional<std::string> removedFor;
        bool isBypassed = false;
    };
    Change& changeOf(NodeId id);
    // Null where there is none.
    Change* findChange(NodeId id);
    const Change* findChange(NodeId id) const;

    GraphPtr m_base;
    std::vector<Addition> m_added;
    std::deque<Change> m_changes;
    std::vector<std::uint32_t> m_changeAt; // by base node, from 1 on; 0: none
    std::vector<Fields> m_fields;
    std::unordered_map<std::string, std::string> m_redirects;
    std::vector<Place> m_moved; // by base node, where any was moved
    std::uint32_t m_turns = 0;
    std::optional<std::size_t> m_places;
};

} // namespace lapidary
