// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "transforms/diff/graph_diff.h"

#include <iosfwd>

namespace lapidary {

// Prints what the verb diff says. Nodes that both graphs have are called by their names before.
// Refers to its arguments, which have to outlive it.
class DiffReport {
public:
    DiffReport(const Graph& before, const Graph& after, const GraphDiff& diff)
        : m_before(before)
        , m_after(after)
        , m_diff(diff)
    {
    }

    // The object that `lapidary diff --json` prints: "added", "removed" and "changed" nodes, and
    // beside them "functions" {"added", "removed", "changed": [{"name", "signature", and the diff
    // of the body}]}, "gradients" and "versions".
    Json json() const;
    // A line of counts, then a line for each change: "+ name (Op)", "- name (Op)", "~ what".
    void print(std::ostream& out) const;

private:
    std::string before(NodeId id) const { return std::string(m_before.node(id).name()); }
    std::string after(NodeId id) const { return std::string(m_after.node(id).name()); }
    Json changesJson() const;
    Json functionsJson() const;
    void printNodes(std::ostream& out) const;
    void printValues(std::ostream& out) const;
    void printFunctions(std::ostream& out) const;

    const Graph& m_before;
    const Graph& m_after;
    const GraphDiff& m_diff;
};

} // namespace lapidary
