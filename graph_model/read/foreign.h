// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// The name of another program's format, recognized by its first bytes or by its structure: "ONNX",
// "PNG image", "JSON (TensorFlow.js)". Empty where it is none that is known here.
std::string foreignFormat(std::string_view bytes);

// The same for text that is no protobuf text: "Python source", "Caffe prototxt".
std::string foreignText(std::string_view text);

// ONNX and Core ML are protobuf messages like ours; told apart by what their fields hold.
std::string foreignMessage(std::string_view bytes);

} // namespace lapidary
