#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; indexing.cpp lists them.
extern const Kernel dynamicPartition;
extern const Kernel dynamicStitch;
extern const Kernel gather;
extern const Kernel gatherNd;
extern const Kernel gatherV2;
extern const Kernel inTopK;
extern const Kernel inTopKV2;
extern const Kernel inplaceAdd;
extern const Kernel inplaceSub;
extern const Kernel inplaceUpdate;
extern const Kernel listDiff;
extern const Kernel lowerBound;
extern const Kernel nthElement;
extern const Kernel parallelDynamicStitch;
extern const Kernel scatterNd;
extern const Kernel scatterNdNonAliasingAdd;
extern const Kernel sparseFillEmptyRows;
extern const Kernel sparseReshape;
extern const Kernel sparseToDense;
extern const Kernel tensorScatterAdd;
extern const Kernel tensorScatterSub;
extern const Kernel tensorScatterUpdate;
extern const Kernel topK;
extern const Kernel topKV2;
extern const Kernel unique;
extern const Kernel uniqueV2;
extern const Kernel uniqueWithCounts;
extern const Kernel uniqueWithCountsV2;
extern const Kernel upperBound;
extern const Kernel where;

} // namespace lapidary::kernels
