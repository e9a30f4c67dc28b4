// SPDX-License-Identifier: Apache-2.0
// NonMaxSuppression selects boxes: the highest scores first, none that overlaps one selected before
// too much.
#include "runner/kernels/detection/suppression.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// NonMaxSuppression: the highest scores first, none that overlaps one selected before by
// iou_threshold (an attribute) or more.
LAPIDARY_KERNEL(NonMaxSuppression, selectBoxes);
// NonMaxSuppressionV2: iou_threshold is an input.
LAPIDARY_KERNEL(NonMaxSuppressionV2, selectBoxes);
// NonMaxSuppressionV3: with a threshold for the scores.
LAPIDARY_KERNEL(NonMaxSuppressionV3, selectBoxes);
// NonMaxSuppressionV4: with the number of selected boxes; the result is padded on request.
LAPIDARY_KERNEL(NonMaxSuppressionV4, selectBoxes);
// NonMaxSuppressionV5: with scores; with a sigma, overlapping boxes lose score by exp(-overlap^2 /
// (2 sigma)) and come later instead of being dropped.
LAPIDARY_KERNEL(NonMaxSuppressionV5, selectBoxes);

} // namespace lapidary
