#pragma once

#include "transforms/pass/pass.h"

namespace lapidary::passes {

// One pass a file; pass_table.cpp lists them.
extern const Pass addDefaultAttributes;
extern const Pass backportConcatv2;
extern const Pass backportTensorArrayV3;
extern const Pass bypassNodes;
extern const Pass clean;
extern const Pass deleteNodes;
extern const Pass extractNodes;
extern const Pass flattenAtrousConv;
extern const Pass foldBatchNorms;
extern const Pass foldConstants;
extern const Pass foldOldBatchNorms;
extern const Pass freezeRequantizationRanges;
extern const Pass fusePadAndConv;
extern const Pass fuseRemoteGraph;
extern const Pass fuseResizeAndConv;
extern const Pass fuseResizePadAndConv;
extern const Pass insertLogging;
extern const Pass mergeDuplicateNodes;
extern const Pass obfuscateNames;
extern const Pass placeRemoteGraphArguments;
extern const Pass quantizeNodes;
extern const Pass quantizeWeights;
extern const Pass removeAttribute;
extern const Pass removeControlDependencies;
extern const Pass removeDeadNodes;
extern const Pass removeDevice;
extern const Pass removeIdentity;
extern const Pass removeNodes;
extern const Pass renameAttribute;
extern const Pass renameNode;
extern const Pass renameOp;
extern const Pass replaceByPlaceholder;
extern const Pass rewriteQuantizedStrippedModelForHexagon;
extern const Pass roundWeights;
extern const Pass setAttribute;
extern const Pass setDevice;
extern const Pass sortByExecutionOrder;
extern const Pass sparsifyGather;
extern const Pass stripUnusedNodes;

} // namespace lapidary::passes
