// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lapidary {

// Makes the error of an edit that cannot be done.
inline Error editError(std::string message)
{
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

// The changes that a GraphEdit makes to input strings: redirects, bypasses and new names.
class EditRewiring {
public:
    explicit EditRewiring(const GraphEdit& edit);

    // "x:0" and "x" mean the same; "^x" is a control input.
    static std::string canonical(const Input& input);

    // Tells whether any reference may change.
    bool isNeeded() const { return m_isNeeded; }
    bool readsTouched(NodeId id) const; // whether this may concern an input of a base node
    // Tells whether references change only because nodes get new names.
    bool onlyRenames() const { return m_onlyRenames; }
    // If so, returns for each input of a base node the new name of the node that it reads, empty if
    // that keeps its name; an empty result if all do. Valid until the next call.
    std::span<const std::string_view> renamedProducers(NodeId id);
    // `redirects`: those of the edit hold; not in nodes that it adds.
    Status rewire(std::vector<std::string>& inputs, std::string_view reader, bool redirects) const;
    // Returns the inputs of a base node, or of the draft that replaces it.
    std::vector<std::string> inputsOf(NodeId id) const;
    // Returns the base node whose output a bypassed node passed on, if there is one.
    NodeId sourceOf(NodeId id) const;

private:
    bool isTouched(NodeId id) const;
    struct Way {
        std::vector<std::string>* controls = nullptr; // take the control inputs of bypassed nodes
        bool redirects = false;
        bool isShared = false; // leads everyone who reads the same to the same end
    };
    struct PassedOn {
        std::string source; // the first data input, empty if there is none
        std::vector<std::string> controls;
    };
    Result<std::string> resolve(std::string text, std::string_view reader, Way way) const;
    // Shortens the way from all these references, which lead to `end` without control inputs.
    void keepEnd(std::vector<std::string>& passed, const std::string& end, const Way& way) const;
    Status countMoved(std::size_t controls, std::string_view reader) const;
    const PassedOn& passedOn(NodeId id) const;
    Result<std::string> behindBypass(NodeId id, const Input& input) const;
    Result<std::vector<std::string>> resolveAll(const std::vector<std::string>& inputs,
                                                std::string_view reader, bool redirects) const;
    void applyRenames(std::vector<std::string>& inputs) const;

    const GraphEdit& m_edit;
    const Graph& m_base;
    bool m_isNeeded;
    bool m_onlyRenames = false;
    std::vector<std::string_view> m_renamed; // for the node of the last call
    bool m_redirectsUnknown = false;         // readers of nodes that are not in the base
    // by base node: whether its readers may have to read another node
    std::vector<char> m_isTouched;
    std::unordered_set<std::string> m_targets; // nodes that redirects lead to
    // The targets of references, or the next node with control inputs on the way: without caching
    // these steps, long chains with many readers would take quadratic time.
    using Ends = std::unordered_map<std::string, std::string>;
    Ends& endsOf(const Way& way) const { return way.controls != nullptr ? m_ends : m_sources; }
    mutable Ends m_ends;
    mutable Ends m_sources; // whatever control inputs are on the way
    mutable std::unordered_map<std::uint32_t, PassedOn> m_passedOn; // by bypassed node
    mutable std::size_t m_moved = 0;                                // control inputs so far
};

} // namespace lapidary
