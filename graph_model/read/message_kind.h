// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string_view>

namespace lapidary {

// Returns the message type of TensorFlow whose schema fits the bytes best; Unknown if none fits.
// Damaged and truncated messages are still recognized.
FileFormat guessMessage(std::string_view bytes);

} // namespace lapidary
