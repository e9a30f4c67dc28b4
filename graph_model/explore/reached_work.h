// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "graph_model/graph/graph.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace lapidary {

// Counts the convolutions and products in graphs and in all functions that these call, directly or
// through others. The library must outlive this.
class ReachedWork {
public:
    explicit ReachedWork(const FunctionLibrary& library)
        : m_library(library)
    {
    }

    std::size_t from(const Graph& graph);
    // Returns 0 once too many calls were followed: for each function of a long chain, this would
    // take quadratic time.
    std::size_t from(const Function& function);

private:
    struct Own {
        std::size_t heavy = 0;
        std::vector<const Function*> calls;
    };
    Own ownOf(const Graph& graph) const;
    const Own& ownOf(const Function& function);
    std::size_t follow(std::vector<const Function*> open);

    const FunctionLibrary& m_library;
    std::unordered_map<const Function*, Own> m_known;
    std::size_t m_callsLeft = 1'000'000;
};

} // namespace lapidary
