// SegmentSum: the sum of the rows of each segment.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Numbers(), Segments::sorted(context),
                                   EmptySegment::Zero);
}

} // namespace

const Kernel kernels::segmentSum{.op = "SegmentSum", .run = run};

} // namespace lapidary
