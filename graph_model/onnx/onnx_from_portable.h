// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"
#include "graph_model/portable/portable_model.h"

namespace lapidary {

// The model with ONNX' operators of that opset (13 to 21). Pictures get the channels in front where
// an operator wants that, and keep them there as long as the next one does not mind. Errors name
// the node whose operation ONNX does not have, and the reason.
Result<OnnxModel> onnxFromPortable(const PortableModel& model, std::int64_t opset);

// Whether onnxruntime computes an operation in double precision: many operators it has for float
// only, and a file with one of those in double does not load.
bool onnxComputesDouble(PortableKind kind);

} // namespace lapidary
