// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/passes/pass_graphs.h"

#include <string>
#include <vector>

namespace lapidary {

// A function on floats (or on `types`) in protobuf's text form. Nodes are lines "name = Op(input,
// other:z:0, ^control) attr=value"; values are text forms of AttrValue.
struct FunctionSketch {
    std::string name;
    std::vector<std::string> arguments; // "x", "h:DT_RESOURCE"
    std::vector<std::string> results;   // "y = a:z:0", "n:DT_INT32 = i:output:0"
    std::vector<std::string> nodes;
    std::vector<std::string> controlResults; // names of nodes
};

// A function with one op on one float: y = op(a).
FunctionSketch unarySketch(const std::string& name, const std::string& op);

// Nodes as in a function, but with inputs as in a graph.
GraphPtr graphWith(const std::vector<FunctionSketch>& functions,
                   const std::vector<std::string>& nodes);

// The text of attributes, as for nodes.
inline const std::string floatT = " T={type:DT_FLOAT}";
std::string callOf(const std::string& function, int inputs, int outputs);
std::string floatConstant(float value); // of a Const

} // namespace lapidary
