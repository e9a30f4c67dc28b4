// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

// Returns the name of another program's format, recognized by its first bytes or by its structure:
// "HDF5 (Keras)", "PNG image", "JSON (TensorFlow.js)". Empty if it is not recognized.
std::string foreignFormat(std::string_view bytes);

// Same for text that is not a protobuf text: "Python source", "Caffe prototxt".
std::string foreignText(std::string_view text);

// Returns advice for files of that kind ("unpack it first, and open the model in it"). Empty if one
// can only open another file.
std::string_view foreignRemedy(std::string_view name);

// Recognize device formats, even in files that were cut short. ONNX is a protobuf message like
// those of TensorFlow, and distinguished by the content of its fields.
bool isOnnx(std::string_view bytes);
bool isTflite(std::string_view bytes);

// Returns the kind of a protobuf message that is not a graph (Core ML, or one of
// companionMessage()), found by the content of its fields; empty if it is not recognized.
std::string foreignMessage(std::string_view bytes);

} // namespace lapidary
