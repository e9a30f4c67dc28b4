// SPDX-License-Identifier: Apache-2.0
// Reductions of neighboring rows that belong together.
#include "runner/kernels/kernel.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

// SegmentMax: the largest elements of each segment; 0 for an empty segment.
Status runSegmentMax(KernelContext& context)
{
    return runSegments<SegmentMax>(context, Reals(), Segments::sorted(context), EmptySegment::Zero);
}

// SegmentMean: the mean of the rows of each segment; 0 for an empty segment.
Status runSegmentMean(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Numbers(), Segments::sorted(context),
                                   EmptySegment::Zero, divideByRows);
}

// SegmentMin: the smallest elements of each segment; 0 for an empty segment.
Status runSegmentMin(KernelContext& context)
{
    return runSegments<SegmentMin>(context, Reals(), Segments::sorted(context), EmptySegment::Zero);
}

// SegmentProd: the product of the rows of each segment; 1 for an empty segment.
Status runSegmentProd(KernelContext& context)
{
    return runSegments<SegmentProduct>(context, Numbers(), Segments::sorted(context),
                                       EmptySegment::Start);
}

// SegmentSum: the sum of the rows of each segment.
Status runSegmentSum(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Numbers(), Segments::sorted(context),
                                   EmptySegment::Zero);
}

} // namespace

LAPIDARY_KERNEL(SegmentMax, runSegmentMax);
LAPIDARY_KERNEL(SegmentMean, runSegmentMean);
LAPIDARY_KERNEL(SegmentMin, runSegmentMin);
LAPIDARY_KERNEL(SegmentProd, runSegmentProd);
LAPIDARY_KERNEL(SegmentSum, runSegmentSum);

} // namespace lapidary
