// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "runner/execute/program.h"

#include <map>
#include <memory>
#include <string>

namespace lapidary {

using BoundAttrs = std::map<std::string, std::string>; // name: encoded AttrValue

// A function of the library with its attributes bound: placeholders in the body are replaced by
// what the caller says. `prunes`: only what the results and control results need is kept. Errors
// name the function and the node of its body.
Result<std::unique_ptr<Program>> makeFunctionBody(const Function& function,
                                                  const FunctionLibrary& library,
                                                  const BoundAttrs& given, bool prunes);

} // namespace lapidary
