// NonMaxSuppression: the highest scores first, none that overlaps one selected before by
// iou_threshold (an attribute) or more.
#include "runner/kernels/detection/kernels.h"
#include "runner/kernels/detection/suppression.h"

namespace lapidary {

const Kernel kernels::nonMaxSuppression{.op = "NonMaxSuppression", .run = selectBoxes};

} // namespace lapidary
