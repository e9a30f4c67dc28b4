// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"
#include "transforms/export/base/export_target.h"

namespace lapidary {

// Merges operations that one operation computes: what follows a layer channel by channel goes into
// its weights (in double precision), convolutions between SpaceToBatch and BatchToSpace get a
// dilation, reshapes that change nothing go. For TFLite activations go into what they follow, for
// ONNX rows and columns of zeros into the convolution behind. The numbers stay, up to the rounding
// of the weights; the last tensor of what is merged keeps its name.
void simplifyPortable(PortableModel& model, ExportTarget target);

} // namespace lapidary
