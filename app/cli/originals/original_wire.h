// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// Reads a binary GraphDef as protobuf 3.8 did for TensorFlow 1.15: nothing where that refuses it.
// A message that was cut where a field ends, however deep, is taken; what comes back then is whole,
// with the lengths set right.
std::optional<std::string> acceptedGraphDef(std::string_view bytes);

} // namespace lapidary
