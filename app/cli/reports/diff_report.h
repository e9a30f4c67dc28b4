// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "transforms/diff/graph_diff.h"

#include <iosfwd>

namespace lapidary {

// Prints the output of the verb diff. Nodes that both graphs have are called by their names before.
// Keeps references to its arguments, which must outlive it.
class DiffReport {
public:
    DiffReport(const Graph& before, const Graph& after, const GraphDiff& diff)
        : m_before(before)
        , m_after(after)
        , m_diff(diff)
    {
    }

    // Returns the object that `lapidary diff --json` prints: "added", "removed" and "changed"
    // nodes, and "functions" {"added", "removed", "changed": [{"name", "signature", and the diff of
    // the body}]}, "gradients" and "versions".
    Json json() const;
    // Prints a line of counts, then a line for each change: "+ name (Op)", "- name (Op)", "~ what".
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
