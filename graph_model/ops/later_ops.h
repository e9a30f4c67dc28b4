// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"

#include <span>
#include <string_view>

namespace lapidary {

// Ops of later versions of TensorFlow that can be run here; findOp() finds them too, allOps() is
// the registry of 1.15.5 alone. Sorted by name.
std::span<const OpSpec> laterOps();

// The definition that TensorFlow 1.15.5 has of an op; null where it does not know the op.
const OpSpec* findReferenceOp(std::string_view name);

} // namespace lapidary
