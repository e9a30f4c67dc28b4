#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; segment.cpp lists them.
extern const Kernel segmentMax;
extern const Kernel segmentMean;
extern const Kernel segmentMin;
extern const Kernel segmentProd;
extern const Kernel segmentSum;
extern const Kernel sparseSegmentMean;
extern const Kernel sparseSegmentMeanWithNumSegments;
extern const Kernel sparseSegmentSqrtN;
extern const Kernel sparseSegmentSqrtNWithNumSegments;
extern const Kernel sparseSegmentSum;
extern const Kernel sparseSegmentSumWithNumSegments;
extern const Kernel unsortedSegmentMax;
extern const Kernel unsortedSegmentMin;
extern const Kernel unsortedSegmentProd;
extern const Kernel unsortedSegmentSum;

} // namespace lapidary::kernels
