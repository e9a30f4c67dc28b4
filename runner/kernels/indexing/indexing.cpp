#include "runner/kernels/indexing/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> indexingKernels()
{
    static constexpr std::array list{&kernels::dynamicPartition,
                                     &kernels::dynamicStitch,
                                     &kernels::gather,
                                     &kernels::gatherNd,
                                     &kernels::gatherV2,
                                     &kernels::inTopK,
                                     &kernels::inTopKV2,
                                     &kernels::inplaceAdd,
                                     &kernels::inplaceSub,
                                     &kernels::inplaceUpdate,
                                     &kernels::listDiff,
                                     &kernels::lowerBound,
                                     &kernels::nthElement,
                                     &kernels::parallelDynamicStitch,
                                     &kernels::scatterNd,
                                     &kernels::scatterNdNonAliasingAdd,
                                     &kernels::sparseFillEmptyRows,
                                     &kernels::sparseReshape,
                                     &kernels::sparseToDense,
                                     &kernels::tensorScatterAdd,
                                     &kernels::tensorScatterSub,
                                     &kernels::tensorScatterUpdate,
                                     &kernels::topK,
                                     &kernels::topKV2,
                                     &kernels::unique,
                                     &kernels::uniqueV2,
                                     &kernels::uniqueWithCounts,
                                     &kernels::uniqueWithCountsV2,
                                     &kernels::upperBound,
                                     &kernels::where};
    return list;
}

} // namespace lapidary
