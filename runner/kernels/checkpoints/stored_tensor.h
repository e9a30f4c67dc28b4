// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/checkpoint/checkpoint.h"
#include "runner/kernels/kernel.h"

#include <string>
#include <string_view>

namespace lapidary {

// The checkpoint that input `i`, one string, names: below the model's own folder, unless files are
// allowed.
Result<CheckpointPtr> checkpointInput(const KernelContext& context, std::size_t i);

// One variable of it, or the part that `shapeAndSlice` ("4 1 0,4:0,1"; empty: all) asks for.
Result<Value> storedTensor(KernelContext& context, const Checkpoint& checkpoint,
                           std::string_view name, std::string_view shapeAndSlice, DType wanted);

// The element `i` of a string input; an error where it has fewer.
Result<std::string> stringInput(const KernelContext& context, std::size_t input, std::size_t i);

} // namespace lapidary
