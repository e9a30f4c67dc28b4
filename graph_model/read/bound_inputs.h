// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A constant or variable that a SavedModel of TensorFlow 2 stores as an object.
struct BoundValue {
    std::string node = {}; // of the graph, empty for other objects and variables without a name
    std::string name = {}; // of variables, as the object has it; several may have the same
    bool isVariable = false;
    DType dtype = DType::Invalid; // of variables
    Shape shape = {};             // of variables
};

// The objects of a SavedModel that its functions were traced with: they are the last arguments of
// each, and no input of the model.
struct BoundInputs {
    std::vector<BoundValue> values;                                         // by object
    std::map<std::string, std::vector<std::uint32_t>, std::less<>> objects; // by function

    // Returns the object behind each of a function's `count` arguments, null for those to feed.
    std::vector<const BoundValue*> ofArguments(std::string_view function, std::size_t count) const;
};

// Reads a SavedObjectGraph message and leaves out damaged parts. The node of a variable is the one
// of its name until nameNodes() has seen the graph.
BoundInputs readBoundInputs(std::string_view objectGraph);

// Corrects the nodes of variables by the graph's calls of the functions: variables of the same name
// have nodes with numbers, in no order that the names would tell.
void nameNodes(BoundInputs& bound, const Graph& graph);

} // namespace lapidary
