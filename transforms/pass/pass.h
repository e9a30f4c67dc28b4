// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph_edit.h"
#include "transforms/pass/parameters.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// How the text of a parameter's value is read.
enum class ParameterType { String, Bool, Int32, Int64, Float, Shape, Dtype };
// "string", "bool", "int32", "int64", "float", "shape" or "dtype".
std::string_view parameterTypeName(ParameterType type);

// The meaning of a text, so that a front end can offer fitting words.
enum class ParameterRole {
    Plain,
    Target, // a node that the pass changes; the pass fails unless it is given one or a scope
    Node,   // another node
    Scope,
    Op,
    Attribute,
    NewName, // a name that does not exist yet
    Device,
    File,
};

struct ParameterSpec {
    std::string_view name;
    ParameterType type = ParameterType::String;
    ParameterRole role = ParameterRole::Plain;
    std::string_view defaultText; // as it would be written; empty: none
    std::string_view help;        // one sentence
    bool isRequired = false;
    bool isRepeated = false;
};

// A request to a pass: the model's interface as the user typed it ("x", "x:0") and the parameters
// of this step.
struct PassArgs {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    Parameters parameters;
    // The weights that the pass changes are not read again from the base graph, even if the pass
    // fails: it may free their memory.
    bool readsOnce = false;
};

// Nodes that fit a pass's pattern; `why` is empty if the pass would rewrite them, else it says
// which condition does not hold.
struct Finding {
    std::vector<NodeId> nodes; // the head first
    std::string why;
};
using Findings = std::vector<Finding>;
// Returns the number of findings that the pass rewrites.
std::size_t matchesOf(const Findings& findings);

// Pass::differences of passes that TensorFlow 1.15's Graph Transform Tool does not have.
inline constexpr std::string_view notOriginal = "TensorFlow has no such transform.";

// One pass: the row that its file ends with. The texts are what users read in the handbook and in
// the window; those that do not apply are empty.
struct Pass {
    std::string_view name;        // on the command line and in recipes
    std::string_view summary;     // one sentence
    std::string_view before;      // a small graph
    std::string_view after;       // the same graph when the pass has run
    std::string_view declines;    // when it declines nodes that fit, and what it needs; sentences
    std::string_view differences; // from TensorFlow 1.15's transform of that name; sentences
    std::span<const ParameterSpec> parameters;
    // Finds the nodes that run() would rewrite and those that it would decline, without changing
    // anything. Null if a pass works on the graph as a whole.
    Result<Findings> (*find)(const GraphPtr& graph, const PassArgs& args, const Job& job) = nullptr;
    Result<EditResult> (*run)(const GraphPtr& graph, const PassArgs& args,
                              const Job& job) = nullptr;
    bool repeats = false; // a second run changes the graph again, as the original's does
};

// Sorted by name.
std::span<const Pass* const> allPasses();
// Null if there is no such pass.
const Pass* findPass(std::string_view name);

} // namespace lapidary
