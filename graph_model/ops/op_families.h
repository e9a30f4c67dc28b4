// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/ops/op_registry.h"

#include <string_view>

namespace lapidary {

// Guesses the family of an op by its name: a table of well-known ops, then rules over parts of the
// name. Unknown if no rule fits. Used when the registry is compiled, so it must not use the
// registry.
OpFamily familyByName(std::string_view op);

} // namespace lapidary
