// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Recognize protobuf files of other kinds that are published beside TensorFlow graphs, some with
// the same file extension, by fields that no graph has. Return the name of the kind, empty for
// other files.
std::string companionText(std::string_view text);     // "MediaPipe graph", "label map", ...
std::string companionMessage(std::string_view bytes); // "Keras metadata of a SavedModel", ...

} // namespace lapidary
