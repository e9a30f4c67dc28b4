// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// The name of another program's format, recognized by its first bytes or by its structure: "HDF5
// (Keras)", "PNG image", "JSON (TensorFlow.js)". Empty where it is none that is known here.
std::string foreignFormat(std::string_view bytes);

// Does the same for text that is not a protobuf text: "Python source", "Caffe prototxt".
std::string foreignText(std::string_view text);

// What a user can do with a file of that kind ("unpack it first, and open the model in it"). Empty
// if there is nothing to do but open another file.
std::string_view foreignRemedy(std::string_view name);

// Files of devices, whole or cut short; ONNX is a protobuf message like ours, told apart by what
// its fields hold.
bool isOnnx(std::string_view bytes);
bool isTflite(std::string_view bytes);

// Core ML's files are protobuf messages like ours; told apart by what their fields hold.
std::string foreignMessage(std::string_view bytes);

} // namespace lapidary
