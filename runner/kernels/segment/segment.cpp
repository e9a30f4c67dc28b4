#include "runner/kernels/rooms.h"
#include "runner/kernels/segment/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> segmentKernels()
{
    static constexpr std::array list{&kernels::segmentMax,
                                     &kernels::segmentMean,
                                     &kernels::segmentMin,
                                     &kernels::segmentProd,
                                     &kernels::segmentSum,
                                     &kernels::sparseSegmentMean,
                                     &kernels::sparseSegmentMeanWithNumSegments,
                                     &kernels::sparseSegmentSqrtN,
                                     &kernels::sparseSegmentSqrtNWithNumSegments,
                                     &kernels::sparseSegmentSum,
                                     &kernels::sparseSegmentSumWithNumSegments,
                                     &kernels::unsortedSegmentMax,
                                     &kernels::unsortedSegmentMin,
                                     &kernels::unsortedSegmentProd,
                                     &kernels::unsortedSegmentSum};
    return list;
}

} // namespace lapidary
