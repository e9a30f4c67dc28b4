// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"
#include "transforms/fold/constant_part.h"

#include <optional>
#include <vector>

namespace lapidary {

// Computes the values of tensors of the constant part, in the order of `tensors`. A value is
// missing if it cannot be computed: a division by zero, a file that does not exist. Fails only when
// cancelled, or if the delegate (delegated_evaluation.h) is lost.
Result<std::vector<std::optional<Value>>> evaluateTensors(const Graph& graph,
                                                          const ConstantPart& part,
                                                          const std::vector<Endpoint>& tensors,
                                                          const Job& job);

// Makes a Const node of this value.
NodeDraft valueNode(std::string name, const Value& value);

} // namespace lapidary
