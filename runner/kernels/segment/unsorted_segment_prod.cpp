// UnsortedSegmentProd: the product of the rows of each segment; rows of negative segments are left
// out.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentProduct>(context, Numbers(), Segments::unsorted(context),
                                       EmptySegment::Start);
}

} // namespace

const Kernel kernels::unsortedSegmentProd{.op = "UnsortedSegmentProd", .run = run};

} // namespace lapidary
