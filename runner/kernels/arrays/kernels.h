#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; arrays.cpp lists them.
extern const Kernel batchToSpace;
extern const Kernel batchToSpaceND;
extern const Kernel bitcast;
extern const Kernel broadcastArgs;
extern const Kernel broadcastGradientArgs;
extern const Kernel broadcastTo;
extern const Kernel concat;
extern const Kernel concatOffset;
extern const Kernel concatV2;
extern const Kernel conjugateTranspose;
extern const Kernel copy;
extern const Kernel copyHost;
extern const Kernel dataFormatDimMap;
extern const Kernel dataFormatVecPermute;
extern const Kernel debugGradientIdentity;
extern const Kernel debugGradientRefIdentity;
extern const Kernel deepCopy;
extern const Kernel depthToSpace;
extern const Kernel empty;
extern const Kernel ensureShape;
extern const Kernel expandDims;
extern const Kernel fill;
extern const Kernel guaranteeConst;
extern const Kernel hostConst;
extern const Kernel invertPermutation;
extern const Kernel linSpace;
extern const Kernel mirrorPad;
extern const Kernel oneHot;
extern const Kernel pack;
extern const Kernel pad;
extern const Kernel padV2;
extern const Kernel parallelConcat;
extern const Kernel range;
extern const Kernel rank;
extern const Kernel reshape;
extern const Kernel reverse;
extern const Kernel reverseSequence;
extern const Kernel reverseV2;
extern const Kernel roll;
extern const Kernel shape;
extern const Kernel shapeN;
extern const Kernel size;
extern const Kernel slice;
extern const Kernel spaceToBatch;
extern const Kernel spaceToBatchND;
extern const Kernel spaceToDepth;
extern const Kernel split;
extern const Kernel splitV;
extern const Kernel squeeze;
extern const Kernel stridedSlice;
extern const Kernel stridedSliceGrad;
extern const Kernel tile;
extern const Kernel transpose;
extern const Kernel unpack;
extern const Kernel unravelIndex;

} // namespace lapidary::kernels
