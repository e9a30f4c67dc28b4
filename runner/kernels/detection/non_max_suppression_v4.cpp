// NonMaxSuppressionV4: with the number of selected boxes, padded where asked for.
#include "runner/kernels/detection/kernels.h"
#include "runner/kernels/detection/suppression.h"

namespace lapidary {

const Kernel kernels::nonMaxSuppressionV4{.op = "NonMaxSuppressionV4", .run = selectBoxes};

} // namespace lapidary
