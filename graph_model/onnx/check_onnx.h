// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"

namespace lapidary {

// Reads a file that was just written. Compares it with the model that was meant, and checks the
// rules of ONNX' checker: each name is made once, before it is read, and names of attributes are
// unique.
Status checkOnnx(const OnnxModel& meant, const EncodedModel& file);

} // namespace lapidary
