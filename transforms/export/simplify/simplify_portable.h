// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_target.h"

namespace lapidary {

// Merges operations that one operation can compute: channelwise operations beside a layer go into
// its weights (in double precision), convolutions between SpaceToBatch and BatchToSpace get a
// dilation, reshapes that change nothing are removed. For TFLite activations go into the operation
// before, for ONNX rows and columns of zeros into the convolution after them. Results stay the
// same, up to the rounding of the weights; the last merged tensor keeps its name.
void simplifyPortable(PortableModel& model, ExportTarget target);

} // namespace lapidary
