// SPDX-License-Identifier: Apache-2.0
// Reductions of gathered rows that belong together.
#include "runner/kernels/kernel.h"
#include "runner/kernels/segment/segment_reduction.h"

#include <cmath>

namespace lapidary {
namespace {

// SparseSegmentSum: SegmentSum of chosen rows. In the versions WithNumSegments, input 3 says how
// many segments there are.
Status runSparseSegmentSum(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Reals(), Segments::sparse(context), EmptySegment::Zero);
}

// SparseSegmentMean: SegmentMean of chosen rows.
Status runSparseSegmentMean(KernelContext& context)
{
    return runSegments<SegmentSum>(context, TypeList<float, double>(), Segments::sparse(context),
                                   EmptySegment::Zero, divideByRows);
}

// SparseSegmentSqrtN: sums of chosen rows by the root of their number.
Status runSparseSegmentSqrtN(KernelContext& context)
{
    return runSegments<SegmentSum>(context, TypeList<float, double>(), Segments::sparse(context),
                                   EmptySegment::Zero, [](const Segments& segments, auto y) {
                                       divideSegments(segments, y, [](auto sum, std::int64_t rows) {
                                           return decltype(sum)(sum /
                                                                std::sqrt(decltype(sum)(rows)));
                                       });
                                   });
}

} // namespace

LAPIDARY_KERNEL(SparseSegmentSum, runSparseSegmentSum);
LAPIDARY_KERNEL(SparseSegmentSumWithNumSegments, runSparseSegmentSum);
LAPIDARY_KERNEL(SparseSegmentMean, runSparseSegmentMean);
LAPIDARY_KERNEL(SparseSegmentMeanWithNumSegments, runSparseSegmentMean);
LAPIDARY_KERNEL(SparseSegmentSqrtN, runSparseSegmentSqrtN);
LAPIDARY_KERNEL(SparseSegmentSqrtNWithNumSegments, runSparseSegmentSqrtN);

} // namespace lapidary
