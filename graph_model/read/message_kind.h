// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"

#include <string_view>

namespace lapidary {

// Returns which of TensorFlow's messages the bytes are, judged by how well what is in them fits
// each schema; Unknown where nothing fits. Damaged and cut messages are still told apart.
FileFormat guessMessage(std::string_view bytes);

} // namespace lapidary
