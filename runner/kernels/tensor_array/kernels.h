#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// tensor_array.cpp lists them.
extern const Kernel emptyTensorList;
extern const Kernel tensorArray;
extern const Kernel tensorArrayClose;
extern const Kernel tensorArrayCloseV2;
extern const Kernel tensorArrayCloseV3;
extern const Kernel tensorArrayConcat;
extern const Kernel tensorArrayConcatV2;
extern const Kernel tensorArrayConcatV3;
extern const Kernel tensorArrayGather;
extern const Kernel tensorArrayGatherV2;
extern const Kernel tensorArrayGatherV3;
extern const Kernel tensorArrayGrad;
extern const Kernel tensorArrayGradV2;
extern const Kernel tensorArrayGradV3;
extern const Kernel tensorArrayPack;
extern const Kernel tensorArrayRead;
extern const Kernel tensorArrayReadV2;
extern const Kernel tensorArrayReadV3;
extern const Kernel tensorArrayScatter;
extern const Kernel tensorArrayScatterV2;
extern const Kernel tensorArrayScatterV3;
extern const Kernel tensorArraySize;
extern const Kernel tensorArraySizeV2;
extern const Kernel tensorArraySizeV3;
extern const Kernel tensorArraySplit;
extern const Kernel tensorArraySplitV2;
extern const Kernel tensorArraySplitV3;
extern const Kernel tensorArrayUnpack;
extern const Kernel tensorArrayV2;
extern const Kernel tensorArrayV3;
extern const Kernel tensorArrayWrite;
extern const Kernel tensorArrayWriteV2;
extern const Kernel tensorArrayWriteV3;
extern const Kernel tensorListElementShape;
extern const Kernel tensorListFromTensor;
extern const Kernel tensorListGather;
extern const Kernel tensorListGetItem;
extern const Kernel tensorListLength;
extern const Kernel tensorListPopBack;
extern const Kernel tensorListPushBack;
extern const Kernel tensorListReserve;
extern const Kernel tensorListResize;
extern const Kernel tensorListSetItem;
extern const Kernel tensorListStack;

} // namespace lapidary::kernels
