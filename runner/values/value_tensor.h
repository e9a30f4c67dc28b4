// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/tensor.h"
#include "runner/values/value.h"

namespace lapidary {

// Copies the value to a tensor, for code that reads tensors: statistics, slices, pictures, files.
// Resources and variants give an error.
Result<Tensor> tensorOf(const Value& value);

} // namespace lapidary
