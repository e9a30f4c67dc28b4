// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// Selects the variables that become constants, by the names of their nodes. An exception wins.
struct FreezeChoice {
    std::set<std::string, std::less<>> only;   // empty: all of them
    std::set<std::string, std::less<>> except; // these stay variables
    bool clearDevices = true;                  // no node of the result asks for a device
};

// The value of a variable as the encoded attribute of a Const; an error names the node.
using VariableValue = std::function<Result<AttrBytes>(NodeId variable)>;

struct FrozenGraph {
    EditResult edit;
    std::vector<NodeId> variables; // of the old graph, those that became constants
    std::vector<NodeId> kept;      // of the old graph, those that stayed variables
};

// Cuts `graph` down to what `outputs` need over data, control and colocation edges, and turns its
// variables into constants as TensorFlow's convert_variables_to_constants does:
//   Variable, VariableV2, VarHandleOp   Const of the same name
//   ReadVariableOp                      Identity
//   ResourceGather, ResourceGatherNd    GatherV2 along axis 0, GatherNd
//   Switch, Merge, Enter, ...           pass the value on instead of the resource
//   RefSwitch, RefMerge, ...            Switch, Merge, ...
// Unlike TensorFlow, it keeps control inputs and the graph's versions, and a variable that stays
// one keeps its readers. Fails if the outputs need something that assigns a frozen variable or
// passes it to a function; the error names the node.
Result<FrozenGraph> freezeVariables(const GraphPtr& graph, std::span<const NodeId> outputs,
                                    const FreezeChoice& choice, const VariableValue& value,
                                    const Job& job);

} // namespace lapidary
