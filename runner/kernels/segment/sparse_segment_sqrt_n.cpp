// SparseSegmentSqrtN: sums of chosen rows by the root of their number.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

#include <cmath>

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentSum>(context, TypeList<float, double>(), Segments::sparse(context),
                                   EmptySegment::Zero, [](const Segments& segments, auto y) {
                                       divideSegments(segments, y, [](auto sum, std::int64_t rows) {
                                           return decltype(sum)(sum /
                                                                std::sqrt(decltype(sum)(rows)));
                                       });
                                   });
}

} // namespace

const Kernel kernels::sparseSegmentSqrtN{.op = "SparseSegmentSqrtN", .run = run};

} // namespace lapidary
