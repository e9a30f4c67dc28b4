// NonMaxSuppressionV2: iou_threshold is an input.
#include "runner/kernels/detection/kernels.h"
#include "runner/kernels/detection/suppression.h"

namespace lapidary {

const Kernel kernels::nonMaxSuppressionV2{.op = "NonMaxSuppressionV2", .run = selectBoxes};

} // namespace lapidary
