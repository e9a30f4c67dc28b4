// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/samples/samples.h"

#include <functional>
#include <span>

namespace lapidary {

using UseTensors = std::function<void(std::span<const Value> values)>;

// Runs a graph on each sample and calls `use` with the values of the tensors ("y:0"), in their
// order. Runs are delegated like those of evaluateTensors(). Errors name the node that failed.
Status runSamples(const GraphPtr& graph, const Samples& samples,
                  const std::vector<std::string>& tensors, const UseTensors& use, const Job& job);

} // namespace lapidary
