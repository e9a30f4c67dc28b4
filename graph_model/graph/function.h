// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_registry.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapidary {

struct FunctionArgument { // OpDef.ArgDef: name 1, type 3, type_attr 4
    std::string_view name;
    DType dtype = DType::Invalid;
    std::string_view typeAttr;
};

// A FunctionDef (signature 1, node_def 3, ret 4, attr 5, ...). `body` is a graph of its own: first
// one synthetic _Arg node for each argument, then the nodes of the function, and at the end one
// synthetic _Retval node for each result, whose input is the expression in `ret`.
struct Function {
    std::string_view name;
    std::vector<FunctionArgument> arguments;
    std::vector<FunctionArgument> results;
    GraphPtr body;
    std::string_view encoded; // the FunctionDef message of the file
    BufferPtr owner;
};
using FunctionPtr = std::shared_ptr<const Function>;

// FunctionDefLibrary: function 1, gradient 2 (function_name 1, gradient_func 2).
class FunctionLibrary {
public:
    std::vector<FunctionPtr> functions;                       // in file order; duplicates possible
    std::unordered_map<std::string_view, std::size_t> byName; // the first of each name
    std::vector<std::pair<std::string_view, std::string_view>> gradients;
    std::string_view encoded; // the library message of the file
    BufferPtr owner;

    FunctionPtr find(std::string_view name) const; // the first one of that name, or null
};

// Reads a FunctionDefLibrary message within `owner`'s bytes and leaves out damaged parts.
std::shared_ptr<const FunctionLibrary> readFunctionLibrary(std::string_view encoded,
                                                           BufferPtr owner);

// Returns the library functions that a node calls: the one that its op is named after (legacy
// calls), and those in attributes of kind Func or list of Func (PartitionedCall's f, While's cond
// and body...).
std::vector<FunctionPtr> calledFunctions(const Graph& graph, const Node& node,
                                         const FunctionLibrary& library);

// Returns the functions that these nodes call, directly or through other functions, each once.
// O(nodes of the functions).
std::vector<FunctionPtr> functionsBehind(const Graph& graph, std::span<const NodeId> nodes,
                                         const FunctionLibrary& library);

// Returns whether nodes of this op run a function: one of the graph that the op is named after, or
// one that an attribute names.
bool isFunctionCall(const Graph& graph, std::string_view op);
// Returns the family of an op; a call of a function counts as known.
OpFamily familyIn(const Graph& graph, std::string_view op);

} // namespace lapidary
