// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns what an edit that cannot be done says.
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
    Result<std::string> resolve(std::string text, std::string_view reader, bool redirects,
                                std::vector<std::string>& controls) const;
    Result<std::string> behindBypass(NodeId id, const Input& input,
                                     std::vector<std::string>& controls) const;
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
};

} // namespace lapidary
