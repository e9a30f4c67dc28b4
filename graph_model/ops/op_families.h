// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"

#include <string_view>

namespace lapidary {

// The family that an op's name suggests: a table of well-known ops, then rules over parts of the
// name. Unknown where no rule fits. Used when the registry is compiled, hence without one.
OpFamily familyByName(std::string_view op);

} // namespace lapidary
