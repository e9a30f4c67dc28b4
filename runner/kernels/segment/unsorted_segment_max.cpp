// UnsortedSegmentMax: the largest elements of each segment; the lowest number where there are none.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentMax>(context, Reals(), Segments::unsorted(context),
                                   EmptySegment::Start);
}

} // namespace

const Kernel kernels::unsortedSegmentMax{.op = "UnsortedSegmentMax", .run = run};

} // namespace lapidary
