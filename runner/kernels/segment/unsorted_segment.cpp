// SPDX-License-Identifier: Apache-2.0
// Reductions of rows that belong together, in any order.
#include "runner/kernels/kernel.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

// UnsortedSegmentMax: the largest elements of each segment; the lowest number for an empty one.
Status runUnsortedSegmentMax(KernelContext& context)
{
    return runSegments<SegmentMax>(context, Reals(), Segments::unsorted(context),
                                   EmptySegment::Start);
}

// UnsortedSegmentMin: the smallest elements of each segment; the highest number for an empty one.
Status runUnsortedSegmentMin(KernelContext& context)
{
    return runSegments<SegmentMin>(context, Reals(), Segments::unsorted(context),
                                   EmptySegment::Start);
}

// UnsortedSegmentProd: the product of the rows of each segment; rows of negative segments are left
// out.
Status runUnsortedSegmentProd(KernelContext& context)
{
    return runSegments<SegmentProduct>(context, Numbers(), Segments::unsorted(context),
                                       EmptySegment::Start);
}

// UnsortedSegmentSum: the sum of the rows of each segment; rows of negative segments are left out.
Status runUnsortedSegmentSum(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Numbers(), Segments::unsorted(context),
                                   EmptySegment::Start);
}

} // namespace

LAPIDARY_KERNEL(UnsortedSegmentMax, runUnsortedSegmentMax);
LAPIDARY_KERNEL(UnsortedSegmentMin, runUnsortedSegmentMin);
LAPIDARY_KERNEL(UnsortedSegmentProd, runUnsortedSegmentProd);
LAPIDARY_KERNEL(UnsortedSegmentSum, runUnsortedSegmentSum);

} // namespace lapidary
