// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/match/pattern.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/pass.h"
#include "transforms/pass/rewritten.h"

#include <functional>
#include <string>
#include <vector>

namespace lapidary {

// The nodes that replace one match, in order, at the position of its head. Matched nodes that are
// not mentioned are removed. A node mentioned twice is kept once.
class Replacement {
public:
    struct Part {
        NodeId id;       // of the base graph; invalid: a new node
        NodeDraft draft; // unused if the node is only kept
        bool isKept = false;
        std::vector<NodeId> origins;
    };

    void keep(NodeId id);
    void change(NodeId id, NodeDraft draft, std::vector<NodeId> moreOrigins = {});
    // Declares that a node keeps its name but gives other values: the match is left alone if
    // another node needs the old ones.
    void revalue(NodeId id);
    const std::vector<NodeId>& revalued() const { return m_revalued; }
    // Removes control inputs that come from removed nodes from the new nodes.
    void dropControls(const std::function<bool(std::string_view)>& isGone);
    // Returns the new form of the node with this name; null if the replacement has none.
    NodeDraft* draftOf(const Graph& graph, std::string_view name);
    void add(NodeDraft draft, std::vector<NodeId> origins);
    const std::vector<Part>& parts() const { return m_parts; }

private:
    bool has(NodeId id) const;
    std::vector<Part> m_parts;
    std::vector<NodeId> m_revalued;
};

// Returns whether a matched node is needed as it is: a node outside of the match reads it, or it is
// an output of the model. A control edge does not count as reading.
bool isNeededOutside(const Graph& graph, const Match& match, NodeId id, const PassArgs& args);

// Fills the replacement of one match.
using Rewrite =
    std::function<Rewritten(const Graph& graph, const Match& match, Replacement& parts)>;

struct ReplaceOptions {
    Pattern pattern;
    Rewrite rewrite;
    std::string reason; // why matched nodes are removed: "folded into the weights"
    // Also removes names that readers outside the match, or the model's interface, use.
    bool mayBreakReaders = false;
    // Examines each graph before its matches are rewritten; may be null.
    std::function<void(const Graph& graph)> begin = {};
};

// Replaces every match at once (spec: transforms, section 3.7). A match whose replacement loses a
// name that is read from outside, or that is an input or output of the model, is left alone. The
// head takes over the control inputs that are in no other part. `findings`, unless it is null, gets
// the matches that were replaced and those that were not.
Result<EditResult> replaceMatches(const GraphPtr& graph, const PassArgs& args,
                                  const ReplaceOptions& options, const Job& job,
                                  Findings* findings = nullptr);
// Finds these matches without changing anything.
Result<Findings> findReplacements(const GraphPtr& graph, const PassArgs& args,
                                  const ReplaceOptions& options, const Job& job);

// Calls replaceMatches() if `findings` is null. Otherwise returns the graph unchanged and fills
// them.
Result<EditResult> replaceOrFind(const GraphPtr& graph, const PassArgs& args,
                                 const ReplaceOptions& options, const Job& job, Findings* findings);

enum class Rounds { One, UntilNothingChanges };

// Replaces matches in the current graph of `chain`. Unless null, `findings` gets the matches that
// were replaced in any round and those that were not in the last one, by nodes of the chain's base.
Status replaceInChain(EditChain& chain, const PassArgs& args, const ReplaceOptions& options,
                      Rounds rounds, const Job& job, Findings* findings);

} // namespace lapidary
