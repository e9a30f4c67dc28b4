#pragma once

#include "graph_model/graph/graph_edit.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// What a GraphEdit makes of input strings: redirects, bypasses and new names.
class EditRewiring {
public:
    explicit EditRewiring(const GraphEdit& edit);

    // "x:0" and "x" mean the same; "^x" is a control input.
    static std::string canonical(const Input& input);

    // Whether any reference may become another.
    bool isNeeded() const { return m_isNeeded; }
    bool readsTouched(NodeId id) const; // whether this may concern an input of a base node
    // Whether references become others only because nodes get new names.
    bool onlyRenames() const { return m_onlyRenames; }
    // Where that is so: for each input of a base node the new name of the node that it reads, empty
    // where that keeps its name; nothing at all where all do. Valid until the next call.
    std::span<const std::string_view> renamedProducers(NodeId id);
    // `redirects`: those of the edit hold; not in nodes that it adds.
    Status rewire(std::vector<std::string>& inputs, std::string_view reader, bool redirects) const;
    // The inputs of a base node, or of the draft in its place.
    std::vector<std::string> inputsOf(NodeId id) const;
    // The base node whose output a bypassed node passed on, if there is one.
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
    std::vector<std::string_view> m_renamed; // of the node that was asked about last
    bool m_redirectsUnknown = false;         // readers of nodes that are not in the base
    std::vector<char> m_isTouched;           // by base node: its readers may have to read another
};

} // namespace lapidary
