// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/lowering_state.h"

namespace lapidary {

bool isTensorArrayOp(std::string_view op);
// The error is the reason of the refusal.
Status lowerTensorArray(Lowering& lowering, NodeId id);

} // namespace lapidary
