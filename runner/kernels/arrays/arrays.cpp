#include "runner/kernels/arrays/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> arraysKernels()
{
    static constexpr std::array list{&kernels::batchToSpace,
                                     &kernels::batchToSpaceND,
                                     &kernels::bitcast,
                                     &kernels::broadcastArgs,
                                     &kernels::broadcastGradientArgs,
                                     &kernels::broadcastTo,
                                     &kernels::concat,
                                     &kernels::concatOffset,
                                     &kernels::concatV2,
                                     &kernels::conjugateTranspose,
                                     &kernels::copy,
                                     &kernels::copyHost,
                                     &kernels::dataFormatDimMap,
                                     &kernels::dataFormatVecPermute,
                                     &kernels::debugGradientIdentity,
                                     &kernels::debugGradientRefIdentity,
                                     &kernels::deepCopy,
                                     &kernels::depthToSpace,
                                     &kernels::empty,
                                     &kernels::ensureShape,
                                     &kernels::expandDims,
                                     &kernels::fill,
                                     &kernels::guaranteeConst,
                                     &kernels::hostConst,
                                     &kernels::invertPermutation,
                                     &kernels::linSpace,
                                     &kernels::mirrorPad,
                                     &kernels::oneHot,
                                     &kernels::pack,
                                     &kernels::pad,
                                     &kernels::padV2,
                                     &kernels::parallelConcat,
                                     &kernels::range,
                                     &kernels::rank,
                                     &kernels::reshape,
                                     &kernels::reverse,
                                     &kernels::reverseSequence,
                                     &kernels::reverseV2,
                                     &kernels::roll,
                                     &kernels::shape,
                                     &kernels::shapeN,
                                     &kernels::size,
                                     &kernels::slice,
                                     &kernels::spaceToBatch,
                                     &kernels::spaceToBatchND,
                                     &kernels::spaceToDepth,
                                     &kernels::split,
                                     &kernels::splitV,
                                     &kernels::squeeze,
                                     &kernels::stridedSlice,
                                     &kernels::stridedSliceGrad,
                                     &kernels::tile,
                                     &kernels::transpose,
                                     &kernels::unpack,
                                     &kernels::unravelIndex};
    return list;
}

} // namespace lapidary
