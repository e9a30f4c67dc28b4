// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "runner/execute/function_reference.h"

#include <vector>

namespace lapidary {

// A function of the library with its attributes bound: placeholders in the body are replaced by
// the caller's values. The nodes of `graph` are an _Arg for each argument, the body, and a _Retval
// for each result, whose input is the result.
struct BoundFunction {
    GraphPtr graph;
    std::vector<Endpoint> arguments; // one for each tensor
    std::vector<DType> argumentTypes;
    std::vector<Endpoint> results; // outputs of the body, or arguments
    std::vector<DType> resultTypes;
    std::vector<NodeId> controlResults; // nodes that must run
    std::uint32_t bodyBegin = 0;        // index of the first node of the body
    std::uint32_t bodyEnd = 0;

    bool isBody(NodeId id) const { return id.value >= bodyBegin && id.value < bodyEnd; }
};

// Errors name the function and the node of its body.
Result<BoundFunction> bindFunction(const Function& function, const FunctionLibrary& library,
                                   const BoundAttrs& given);

} // namespace lapidary
