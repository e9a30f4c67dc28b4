// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <cstdint>
#include <string>

namespace lapidary {

// Returns a rounded count: "25.6 M", "970", "1.2 k".
std::string shortCount(std::int64_t count);

} // namespace lapidary
