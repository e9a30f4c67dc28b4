// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// Reads a binary GraphDef as protobuf 3.8 did for TensorFlow 1.15; returns none if that rejects it.
// A message that was cut at the end of a field, at any depth, is accepted; the returned message is
// complete, with corrected lengths.
std::optional<std::string> acceptedGraphDef(std::string_view bytes);

} // namespace lapidary
