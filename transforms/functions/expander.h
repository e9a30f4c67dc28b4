// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/taken_names.h"
#include "runner/execute/bound_function.h"
#include "transforms/functions/function_facts.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

// The position of a node that calls functions in the new graph. Inputs are texts of the new graph,
// or outputs of other expanded nodes, which are resolved at the end.
struct ExpansionSite {
    NodeDraft node;
    std::vector<Effects> inputEffects; // of all that comes before each data input
    bool isNamed = false;              // something waits for it: a node of its name stays
    bool isFetched = false;            // its outputs stay, too
    bool inTurn = false;               // may be skipped, or runs more than once
};

// Replaces nodes that call functions by the functions' bodies. Collects the nodes that are added,
// and where readers of the replaced ones find their outputs.
class Expander {
public:
    // The kinds of nodes that are expanded; others stay as they are, in bodies too.
    struct Kinds {
        bool calls = false;
        bool branches = false;
        bool loops = false;
    };
    // `graph` must outlive this.
    Expander(const Graph& graph, Kinds kinds);

    bool concerns(const Node& node) const;
    // Returns why a node that concerns this cannot be expanded; empty if it can.
    std::string fault(const Node& node);
    // Replaces a node that has no fault.
    Status expand(ExpansionSite site);
    // Returns the effects of a node that matter: if nothing changes variables, reads of them do
    // not.
    Effects effectsOf(const Node& node);

    // Returns an unused name for a new node.
    std::string uniqueName(std::string wanted) { return m_names.fresh(std::move(wanted)); }
    void add(NodeDraft node) { m_added.push_back(std::move(node)); }
    // Redirects readers to the results of a node that was expanded, and adds the Identity or NoOp
    // that is left of it if necessary. `waits`: control inputs ("^x") that a reader of any output
    // has to wait for.
    void finish(const ExpansionSite& site, std::vector<std::string> results,
                const std::vector<DType>& types, const std::vector<std::string>& waits);
    // Returns the functions that a node calls, bound to the attributes of the call.
    Result<std::vector<BoundFunction>> bind(const Node& node) const;

    // Takes the nodes added since the last call; their inputs are still unresolved.
    std::vector<NodeDraft> take();
    // Returns the input of the new graph to which a text leads.
    std::string resolved(std::string text) const;
    // Returns the tensors by which readers of the expanded nodes replace their inputs: "call:1" ->
    // "call/add".
    const std::unordered_map<std::string, std::string>& redirects() const { return m_redirects; }

private:
    std::string faultOf(const Node& node);
    // Returns copies of the results that wait for `waits`.
    std::vector<std::string> awaited(const ExpansionSite& site, std::vector<std::string> results,
                                     const std::vector<DType>& types,
                                     const std::vector<std::string>& waits);

    const FunctionLibrary m_none;
    const FunctionLibrary& m_library;
    Kinds m_kinds;
    FunctionFacts m_facts;
    bool m_hasChanges = false; // of variables
    TakenNames m_names;
    std::vector<NodeDraft> m_added;
    std::unordered_map<std::string, std::string> m_redirects;
    std::map<std::string, std::string> m_faults; // by what a node calls and how
};

// Returns the node of a data input as a control input that is resolved like the data: "x:1" ->
// "^x:1".
std::string waitFor(std::string_view data);
// Return the data inputs of a draft, and its control inputs.
std::vector<std::string> dataInputs(const NodeDraft& node);
std::vector<std::string> controlInputs(const NodeDraft& node);
// Adds each text that is not there yet.
void addOnce(std::vector<std::string>& to, const std::vector<std::string>& texts);

} // namespace lapidary
