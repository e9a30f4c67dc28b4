// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/values/value.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// A graph that depends on nothing but `feeds`.
struct ConstantGraph {
    GraphPtr graph;
    std::vector<std::pair<std::string, Value>> feeds; // "x:0"
};
using OptionalValues = std::vector<std::optional<Value>>;

// Returns the values of tensors ("y:0"), in their order; nothing for one that cannot be computed.
using EvaluateConstants = std::function<Result<OptionalValues>(
    const ConstantGraph& constants, const std::vector<std::string>& tensors, const Job& job)>;

// Makes evaluateTensors() call this function, in a process that must not run graphs itself. Null:
// it runs them itself. Must be called before other threads start.
void delegateEvaluation(EvaluateConstants evaluate);
// Returns the delegate; null if this process runs graphs itself.
const EvaluateConstants& delegatedEvaluation();

// Evaluates the tensors in this process. Fails only when cancelled.
Result<OptionalValues> evaluateHere(const ConstantGraph& constants,
                                    const std::vector<std::string>& tensors, const Job& job);

} // namespace lapidary
