// SegmentProd: the product of the rows of each segment; 1 where there are none.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentProduct>(context, Numbers(), Segments::sorted(context),
                                       EmptySegment::Start);
}

} // namespace

const Kernel kernels::segmentProd{.op = "SegmentProd", .run = run};

} // namespace lapidary
