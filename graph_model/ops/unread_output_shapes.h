// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// TensorFlow's import passes over _output_shapes of these ops that contradict what it infers: older
// versions told their shapes otherwise.
bool hasUnreadOutputShapes(std::string_view op);

} // namespace lapidary
