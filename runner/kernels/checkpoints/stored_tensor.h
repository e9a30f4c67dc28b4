// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/checkpoint.h"
#include "runner/kernels/kernel.h"

#include <string>
#include <string_view>

namespace lapidary {

// Opens the checkpoint that input `i`, one string, names. It must be below the model's own folder,
// unless files are allowed.
Result<CheckpointPtr> checkpointInput(const KernelContext& context, std::size_t i);

// Reads a variable, or the part of it in `shapeAndSlice` ("4 1 0,4:0,1"; empty: all of it).
Result<Value> storedTensor(KernelContext& context, const Checkpoint& checkpoint,
                           std::string_view name, std::string_view shapeAndSlice, DType wanted);

// Returns the element `i` of a string input. Fails if it has fewer elements.
Result<std::string> stringInput(const KernelContext& context, std::size_t input, std::size_t i);

} // namespace lapidary
