// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "runner/execute/program.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace lapidary {

// The compiled functions that one compiled request has called so far: one program for each
// function, values of its attributes, and choice between the whole body and one pruned to the
// results. State that nodes keep from run to run, such as random generators, begins anew for
// another request, as in TensorFlow.
class FunctionTable {
public:
    explicit FunctionTable(std::shared_ptr<const FunctionLibrary> library)
        : m_library(std::move(library))
    {
    }

    const FunctionLibrary* library() const { return m_library.get(); }
    // Returns the program of the function that `caller` calls, compiled at the first call; the
    // table owns it. `memory` is that of the caller's graph.
    Result<Program*> find(const Node& caller, NodeId id, const GraphMemory& memory,
                          const FunctionCall& call);
    // Adds the ops without a kernel in all functions that the nodes may call.
    void collectMissing(const ExecGraph& graph, std::vector<MissingKernel>& missing) const;

private:
    Result<Program*> instantiate(const Node& caller, const FunctionCall& call);

    std::shared_ptr<const FunctionLibrary> m_library;
    std::map<std::string, std::unique_ptr<Program>> m_programs;
    // Keyed by the caller's graph and node, the attribute that names the function, and the index in
    // a list of functions.
    std::map<std::tuple<const GraphMemory*, std::uint32_t, std::string, std::size_t>, Program*>
        m_callees;
};

} // namespace lapidary
