// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <string_view>

namespace lapidary {

// Both texts in one piece, in a file without a name in the folder for temporary files instead of in
// memory: the system keeps as much of it in memory as it has to spare. An error where there is no
// room.
Result<BufferPtr> spillBytes(std::string_view head, std::string_view body);

} // namespace lapidary
