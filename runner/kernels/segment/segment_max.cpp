// SegmentMax: the largest elements of each segment; 0 where there are none.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentMax>(context, Reals(), Segments::sorted(context), EmptySegment::Zero);
}

} // namespace

const Kernel kernels::segmentMax{.op = "SegmentMax", .run = run};

} // namespace lapidary
