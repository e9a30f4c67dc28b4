// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/onnx/onnx_model.h"
#include "graph_model/portable/portable_model.h"

namespace lapidary {

// Returns the model with ONNX' operators of that opset (13 to 21). Pictures get the channels in
// front if an operator needs that, and keep this form until an operator needs the other one. Errors
// name the node whose operation ONNX lacks, and the reason.
Result<OnnxModel> onnxFromPortable(const PortableModel& model, std::int64_t opset);

// Returns whether onnxruntime computes an operation in double precision: it has many operators only
// for float, and a file with one of those in double does not load.
bool onnxComputesDouble(PortableKind kind);

} // namespace lapidary
