// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary {

// Small files of other formats; together they have something for every part of their readers.

// A TFLite model: y = IF(flag, CONV_2D(x), x), with weights in 8 bits, a list in the options, an
// input that is left out, and strings.
std::string tfliteSample();
// An ONNX model: y = If(flag, Conv(x), Add(x, c)), where the bodies take x and c from the graph
// around them, with values of each storage. Weights named `external` lie in that file, if it is
// named.
std::string onnxSample(const std::string& external = "");

} // namespace lapidary
