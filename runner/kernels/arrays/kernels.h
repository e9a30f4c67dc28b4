#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; arrays.cpp lists them.
extern const Kernel batchToSpace;
extern const Kernel batchToSpaceND;
extern const Kernel concat;
extern const Kernel concatV2;
extern const Kernel conjugateTranspose;
extern const Kernel expandDims;
extern const Kernel fill;
extern const Kernel pack;
extern const Kernel pad;
extern const Kernel padV2;
extern const Kernel range;
extern const Kernel rank;
extern const Kernel reshape;
extern const Kernel shape;
extern const Kernel shapeN;
extern const Kernel size;
extern const Kernel slice;
extern const Kernel spaceToBatch;
extern const Kernel spaceToBatchND;
extern const Kernel split;
extern const Kernel splitV;
extern const Kernel squeeze;
extern const Kernel stridedSlice;
extern const Kernel tile;
extern const Kernel transpose;
extern const Kernel unpack;

} // namespace lapidary::kernels
