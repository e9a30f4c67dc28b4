// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/function.h"
#include "graph_model/graph/node.h"
#include "graph_model/tensor/dtype.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// An argument or result of a library function (OpDef.ArgDef): one tensor, or as many as an
// attribute says. The last three are names of attributes; empty: it has none.
struct ArgumentSpec {
    std::string_view name;
    DType dtype = DType::Invalid;
    std::string_view typeAttr;
    std::string_view numberAttr;
    std::string_view typeListAttr;
};

// A FunctionDef's declaration; views into the message.
struct FunctionSignature {
    std::string_view name;
    std::vector<ArgumentSpec> arguments;
    std::vector<ArgumentSpec> results;
    std::vector<std::pair<std::string_view, std::string_view>> attrs;   // name, encoded default
    std::vector<std::string_view> nodes;                                // encoded NodeDefs
    std::vector<std::pair<std::string_view, std::string_view>> returns; // result name, tensor
    std::vector<std::string_view> controlReturns;                       // nodes that must run
};
FunctionSignature readSignature(std::string_view functionDef);
// Returns the signature of a function. A function that was made here has a body but no message;
// its signature comes from the body.
FunctionSignature signatureOf(const Function& function);

// Returns only the results; the rest of the message is skipped.
std::vector<ArgumentSpec> resultsOf(const Function& function);

// Returns the number of tensors of an argument, by the attributes of the calling node.
std::int64_t tensorCount(const Node& caller, const ArgumentSpec& argument);

} // namespace lapidary
