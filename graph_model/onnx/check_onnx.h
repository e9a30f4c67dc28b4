// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"

namespace lapidary {

// Reads a file that was just written and holds it against what was meant, and against the rules of
// ONNX' checker: each name is made once, before it is read, and names of attributes are unique.
Status checkOnnx(const OnnxModel& meant, const EncodedModel& file);

} // namespace lapidary
