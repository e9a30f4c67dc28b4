// NonMaxSuppressionV5: with scores; with a sigma, overlapping boxes lose score by
// exp(-overlap^2 / (2 sigma)) and come later, in place of being dropped.
#include "runner/kernels/detection/kernels.h"
#include "runner/kernels/detection/suppression.h"

namespace lapidary {

const Kernel kernels::nonMaxSuppressionV5{.op = "NonMaxSuppressionV5", .run = selectBoxes};

} // namespace lapidary
