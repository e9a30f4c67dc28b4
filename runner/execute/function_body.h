// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/function.h"
#include "runner/execute/function_reference.h"
#include "runner/execute/program.h"

#include <memory>

namespace lapidary {

// Compiles a function of the library with its attributes bound. `prunes`: keeps only the nodes that
// the results and control results need. Errors name the function and the node of its body.
Result<std::unique_ptr<Program>> makeFunctionBody(const Function& function,
                                                  const FunctionLibrary& library,
                                                  const BoundAttrs& given, bool prunes);

} // namespace lapidary
