// UnsortedSegmentMin: the smallest elements of each segment; the highest number where there are
// none.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentMin>(context, Reals(), Segments::unsorted(context),
                                   EmptySegment::Start);
}

} // namespace

const Kernel kernels::unsortedSegmentMin{.op = "UnsortedSegmentMin", .run = run};

} // namespace lapidary
