#include "runner/kernels/rooms.h"
#include "runner/kernels/tensor_array/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> tensorArrayKernels()
{
    static constexpr std::array list{
        &kernels::emptyTensorList,      &kernels::tensorArray,
        &kernels::tensorArrayClose,     &kernels::tensorArrayCloseV2,
        &kernels::tensorArrayCloseV3,   &kernels::tensorArrayConcat,
        &kernels::tensorArrayConcatV2,  &kernels::tensorArrayConcatV3,
        &kernels::tensorArrayGather,    &kernels::tensorArrayGatherV2,
        &kernels::tensorArrayGatherV3,  &kernels::tensorArrayGrad,
        &kernels::tensorArrayGradV2,    &kernels::tensorArrayGradV3,
        &kernels::tensorArrayPack,      &kernels::tensorArrayRead,
        &kernels::tensorArrayReadV2,    &kernels::tensorArrayReadV3,
        &kernels::tensorArrayScatter,   &kernels::tensorArrayScatterV2,
        &kernels::tensorArrayScatterV3, &kernels::tensorArraySize,
        &kernels::tensorArraySizeV2,    &kernels::tensorArraySizeV3,
        &kernels::tensorArraySplit,     &kernels::tensorArraySplitV2,
        &kernels::tensorArraySplitV3,   &kernels::tensorArrayUnpack,
        &kernels::tensorArrayV2,        &kernels::tensorArrayV3,
        &kernels::tensorArrayWrite,     &kernels::tensorArrayWriteV2,
        &kernels::tensorArrayWriteV3,   &kernels::tensorListElementShape,
        &kernels::tensorListFromTensor, &kernels::tensorListGather,
        &kernels::tensorListGetItem,    &kernels::tensorListLength,
        &kernels::tensorListPopBack,    &kernels::tensorListPushBack,
        &kernels::tensorListReserve,    &kernels::tensorListResize,
        &kernels::tensorListSetItem,    &kernels::tensorListStack};
    return list;
}

} // namespace lapidary
