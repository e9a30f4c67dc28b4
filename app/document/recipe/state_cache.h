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

// The result of one step on a graph; never changes. A step that failed has a fault and no
// graph.
struct TimelineState {
    std::uint64_t id = 0;
    RecipeStep step;
    const Pass* pass = nullptr; // null if there is no such pass
    EditResult edit;            // lineage from the graph before
    Findings findings;          // ids of the graph before; why is empty where it was rewritten
    std::string fault;
    std::string ignoredError; // the step failed and is to be left out then
    std::string remark; // of a step that changed nothing: that, and which pass would; else empty
    double seconds = 0;
    std::uint64_t bytes = 0; // of the GraphDef

    const GraphPtr& graph() const { return edit.graph; }
    bool isWhole() const { return fault.empty(); }
    std::size_t matches() const;
    std::size_t nearMisses() const;
};
using TimelineStatePtr = std::shared_ptr<const TimelineState>;

// Inputs and outputs as passes take them: "x", "x:1".
struct RecipeEnds {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;

    bool operator==(const RecipeEnds&) const = default;
};

// Runs one step and looks for what it rewrites and leaves. Cancelled: an error; a step that fails
// is a state with a fault.
Result<std::shared_ptr<TimelineState>> makeState(const GraphPtr& before, const RecipeStep& step,
                                                 const RecipeEnds& ends, const Job& job);

// Bytes of the GraphDef message that `graph` is written as.
std::uint64_t encodedBytes(const Graph& graph);

// The states made so far, keyed by all that they depend on: graph, interface and every step up to
// them. Going back, branching and changing a step reuse what is already known.
class StateCache {
public:
    // Returns the key of what the first step of a recipe starts from.
    std::uint64_t root(const GraphPtr& base, const RecipeEnds& ends);
    TimelineStatePtr find(std::uint64_t before, const RecipeStep& step);
    TimelineStatePtr add(std::uint64_t before, std::shared_ptr<TimelineState> state);
    // Lets go of what was not asked for lately, but for the newest `kept`; gives it to the caller,
    // who knows where to free it.
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
    using Key = std::pair<std::uint64_t, std::string>; // what is before, and the step as text

    std::map<Key, Entry> m_states;
    std::vector<Root> m_roots;
    std::uint64_t m_nextId = 1;
    std::uint64_t m_clock = 0;
};

} // namespace lapidary
