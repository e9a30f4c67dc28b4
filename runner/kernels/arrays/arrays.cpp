#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> arraysKernels()
{
    static constexpr std::array list{&kernels::batchToSpace,
                                     &kernels::batchToSpaceND,
                                     &kernels::concat,
                                     &kernels::concatV2,
                                     &kernels::conjugateTranspose,
                                     &kernels::expandDims,
                                     &kernels::fill,
                                     &kernels::pack,
                                     &kernels::pad,
                                     &kernels::padV2,
                                     &kernels::range,
                                     &kernels::rank,
                                     &kernels::reshape,
                                     &kernels::shape,
                                     &kernels::shapeN,
                                     &kernels::size,
                                     &kernels::slice,
                                     &kernels::spaceToBatch,
                                     &kernels::spaceToBatchND,
                                     &kernels::split,
                                     &kernels::splitV,
                                     &kernels::squeeze,
                                     &kernels::stridedSlice,
                                     &kernels::tile,
                                     &kernels::transpose,
                                     &kernels::unpack};
    return list;
}

} // namespace lapidary
