#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph_edit.h"
#include "transforms/pass/parameters.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct ParameterSpec {
    std::string_view name;
    std::string_view type;        // "string", "bool", "int32", "int64", "float", "shape", "dtype"
    std::string_view defaultText; // as it would be written; empty: none
    std::string_view help;        // one sentence
    bool isRequired = false;
    bool isRepeated = false;
};

// What a pass is asked to do: the model's interface as the user typed it ("x", "x:0") and the
// parameters of this step.
struct PassArgs {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    Parameters parameters;
    // Weights that the pass changes are not read again where they were, whether it fails or not.
    bool readsOnce = false;
};

// A place that fits a pass's pattern; `why` is empty where the pass would rewrite it, else it says
// which condition does not hold.
struct Finding {
    std::vector<NodeId> nodes; // the head first
    std::string why;
};
using Findings = std::vector<Finding>;
// How many of them are rewritten.
std::size_t matchesOf(const Findings& findings);

struct Pass {
    std::string_view name;    // on the command line and in recipes
    std::string_view summary; // one sentence
    std::span<const ParameterSpec> parameters;
    // What run() would rewrite, each a place of its result, and what it would decline, without
    // changing anything. Null where a pass works on the graph as a whole.
    Result<Findings> (*find)(const GraphPtr& graph, const PassArgs& args, const Job& job) = nullptr;
    Result<EditResult> (*run)(const GraphPtr& graph, const PassArgs& args,
                              const Job& job) = nullptr;
    bool repeats = false; // a second run changes the graph again, as the original's does
};

// Sorted by name.
std::span<const Pass* const> allPasses();
// Null where there is none.
const Pass* findPass(std::string_view name);

} // namespace lapidary
