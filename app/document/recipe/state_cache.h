// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// The result of one step on a graph. Immutable. A step that failed has a fault and no
// graph.
struct TimelineState {
    std::uint64_t id = 0;
    RecipeStep step;
    const Pass* pass = nullptr; // null if there is no such pass
    EditResult edit;            // lineage from the graph before
    Findings findings;          // IDs of the graph before; `why` is empty where it was rewritten
    std::string fault;
    std::string ignoredError; // error of a step that failed and is left out, as its recipe allows
    std::string remark; // tells that the step changed nothing, and which pass would; else empty
    double seconds = 0;
    std::uint64_t bytes = 0; // of the GraphDef

    const GraphPtr& graph() const { return edit.graph; }
    bool isWhole() const { return fault.empty(); }
    std::size_t matches() const;
    std::size_t nearMisses() const;
};
using TimelineStatePtr = std::shared_ptr<const TimelineState>;

// Inputs and outputs, as passes take them: "x", "x:1".
struct RecipeEnds {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;

    bool operator==(const RecipeEnds&) const = default;
};

// Runs one step and finds the nodes that it rewrites or leaves. Returns an error only if the job is
// cancelled: a step that fails is a state with a fault.
Result<std::shared_ptr<TimelineState>> makeState(const GraphPtr& before, const RecipeStep& step,
                                                 const RecipeEnds& ends, const Job& job);

// Returns the number of bytes of `graph` as a GraphDef message.
std::uint64_t encodedBytes(const Graph& graph);

// The states made so far, keyed by everything that they depend on: graph, interface and every step
// up to them. They are reused when the user goes back, branches, or changes a step.
class StateCache {
public:
    // Returns the key of the graph that the first step of a recipe is applied to.
    std::uint64_t root(const GraphPtr& base, const RecipeEnds& ends);
    TimelineStatePtr find(std::uint64_t before, const RecipeStep& step);
    TimelineStatePtr add(std::uint64_t before, std::shared_ptr<TimelineState> state);
    // Removes the states that were not used lately, except the newest `kept`. Returns them, so that
    // the caller can free them on another thread.
    std::vector<TimelineStatePtr> prune(std::size_t kept);
    std::size_t size() const { return m_states.size(); }

private:
    struct Entry {
        TimelineStatePtr state;
        std::uint64_t used = 0;
    };
    struct Root {
        GraphPtr base;
        RecipeEnds ends;
        std::uint64_t id = 0;
    };
    using Key = std::pair<std::uint64_t, std::string>; // the key before it, and the step as text

    std::map<Key, Entry> m_states;
    std::vector<Root> m_roots;
    std::uint64_t m_nextId = 1;
    std::uint64_t m_clock = 0;
};

} // namespace lapidary
