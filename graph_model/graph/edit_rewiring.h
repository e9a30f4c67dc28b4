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

    // Returns the text of an input in one form: "x:0" and "x" mean the same; "^x" is a control
    // input.
    static std::string canonical(const Input& input);

    // Returns whether any reference may change.
    bool isNeeded() const { return m_isNeeded; }
    bool readsTouched(NodeId id) const; // whether changes may concern an input of a base node
    // Returns whether references change only because nodes get new names.
    bool onlyRenames() const { return m_onlyRenames; }
    // Only if onlyRenames(): returns the new name of the node that each input of a base node reads,
    // empty if the name stays. The result is empty if all stay. Valid until the next call.
    std::span<const std::string_view> renamedProducers(NodeId id);
    // Rewires the inputs of `reader`. `redirects`: whether the redirects of the edit apply, which
    // they do not in added nodes.
    Status rewire(std::vector<std::string>& inputs, std::string_view reader, bool redirects) const;
    // Returns the inputs of a base node, or of the draft that replaces it.
    std::vector<std::string> inputsOf(NodeId id) const;
    // Returns the base node whose output a bypassed node passed on; invalid if there is none.
    NodeId sourceOf(NodeId id) const;

private:
    bool isTouched(NodeId id) const;
    struct Way {
        std::vector<std::string>* controls = nullptr; // gets the control inputs of bypassed nodes
        bool redirects = false;
        bool isShared = false; // the target may be cached: all readers get the same one
    };
    struct PassedOn {
        std::string source; // the first data input, empty if there is none
        std::vector<std::string> controls;
    };
    Result<std::string> resolve(std::string text, std::string_view reader, Way way) const;
    // Shortens the paths of all these references, which lead to `end` without control inputs.
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
    bool m_redirectsUnknown = false;         // some lead from nodes outside of the base
    // by base node: whether its readers may have to read another node
    std::vector<char> m_isTouched;
    std::unordered_set<std::string> m_targets; // nodes that redirects lead to
    // The targets of references, or the next node with control inputs on the way: without caching
    // these steps, long chains with many readers would take quadratic time.
    using Ends = std::unordered_map<std::string, std::string>;
    Ends& endsOf(const Way& way) const { return way.controls != nullptr ? m_ends : m_sources; }
    mutable Ends m_ends;
    mutable Ends m_sources; // regardless of control inputs on the way
    mutable std::unordered_map<std::uint32_t, PassedOn> m_passedOn; // by bypassed node
    mutable std::size_t m_moved = 0;                                // control inputs so far
};

} // namespace lapidary
