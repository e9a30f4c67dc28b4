// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"

#include <string>
#include <vector>

namespace lapidary {

// Return encoded AttrValues that are lists.
std::string typesAttr(const std::vector<DType>& types);
std::string stringsAttr(const std::vector<std::string>& strings);

} // namespace lapidary
