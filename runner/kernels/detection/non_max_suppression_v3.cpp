// NonMaxSuppressionV3: with a threshold for the scores.
#include "runner/kernels/detection/kernels.h"
#include "runner/kernels/detection/suppression.h"

namespace lapidary {

const Kernel kernels::nonMaxSuppressionV3{.op = "NonMaxSuppressionV3", .run = selectBoxes};

} // namespace lapidary
