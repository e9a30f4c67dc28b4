// SparseSegmentSumWithNumSegments: SegmentSum of chosen rows. Input 3 says how many segments there
// are.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Reals(), Segments::sparse(context), EmptySegment::Zero);
}

} // namespace

const Kernel kernels::sparseSegmentSumWithNumSegments{.op = "SparseSegmentSumWithNumSegments",
                                                      .run = run};

} // namespace lapidary
