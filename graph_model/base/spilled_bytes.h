// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <string_view>

namespace lapidary {

// Joins both texts in a file without a name in the folder for temporary files instead of in
// memory: the system keeps as much of it in memory as it can spare. Fails if the disk is
// full.
Result<BufferPtr> spillBytes(std::string_view head, std::string_view body);

} // namespace lapidary
