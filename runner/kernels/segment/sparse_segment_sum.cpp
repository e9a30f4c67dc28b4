// SparseSegmentSum: SegmentSum of chosen rows.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentSum>(context, Reals(), Segments::sparse(context), EmptySegment::Zero);
}

} // namespace

const Kernel kernels::sparseSegmentSum{.op = "SparseSegmentSum", .run = run};

} // namespace lapidary
