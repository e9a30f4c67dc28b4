// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"

#include <span>
#include <string_view>

namespace lapidary {

// Returns the ops of later versions of TensorFlow that can be run here, sorted by name. findOp()
// finds them too; allOps() contains only the registry of 1.15.5.
std::span<const OpSpec> laterOps();

// Returns the definition of an op in TensorFlow 1.15.5, or null if that has none.
const OpSpec* findReferenceOp(std::string_view name);

} // namespace lapidary
