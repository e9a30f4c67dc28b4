#pragma once

#include "views/layout/scene.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// "25.6 M", "970", "1.2 k".
std::string shortCount(std::int64_t count);
// "resnet/block1/conv2" -> "conv2".
std::string_view lastComponent(std::string_view name);

} // namespace lapidary
