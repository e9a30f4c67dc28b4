// SparseSegmentMean: SegmentMean of chosen rows.
#include "runner/kernels/segment/kernels.h"
#include "runner/kernels/segment/segment_reduction.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return runSegments<SegmentSum>(context, TypeList<float, double>(), Segments::sparse(context),
                                   EmptySegment::Zero, [](const Segments& segments, auto y) {
                                       divideSegments(segments, y, [](auto sum, std::int64_t rows) {
                                           using T = decltype(sum);
                                           if constexpr (std::is_integral_v<T>)
                                               return T(std::int64_t(sum) / rows);
                                           else if constexpr (isComplex<T>)
                                               return sum / typename T::value_type(rows);
                                           else
                                               return T(wide(sum) / decltype(wide(sum))(rows));
                                       });
                                   });
}

} // namespace

const Kernel kernels::sparseSegmentMean{.op = "SparseSegmentMean", .run = run};

} // namespace lapidary
