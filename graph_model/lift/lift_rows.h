// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <span>
#include <string_view>

namespace lapidary {

// A table row of an operator that has the inputs and outputs of a TensorFlow op.
struct LiftRow {
    std::string_view op;
    std::string_view tensorFlow;
    std::string_view types = {}; // "T:0 Tidx:1": attributes with the types of these inputs
    std::string_view attrs = {}; // "axis num_split=num_splits": attributes to copy (new=old name)
};

// Appends the op of a row as a step. Returns the name of the step.
std::string liftByRow(LiftDraft& draft, const LiftRow& row);
const LiftRow* findRow(std::span<const LiftRow> rows, std::string_view op);

// Lift the current operator of the draft. Return false if it has no counterpart.
bool liftTflite(LiftDraft& draft);
bool liftOnnx(LiftDraft& draft);
// Lift the operators of one source file of a folder.
bool liftTfliteLayer(LiftDraft& draft, std::string& made);
bool liftOnnxLayer(LiftDraft& draft);
bool liftOnnxPool(LiftDraft& draft);
bool liftOnnxResize(LiftDraft& draft);
bool liftOnnxSample(LiftDraft& draft);
bool liftOnnxShape(LiftDraft& draft);
bool liftOnnxSizes(LiftDraft& draft);
bool liftOnnxGather(LiftDraft& draft);
bool liftOnnxScatter(LiftDraft& draft);
bool liftOnnxNorm(LiftDraft& draft);
bool liftOnnxAttention(LiftDraft& draft);
bool liftOnnxPatches(LiftDraft& draft);
bool liftOnnxUnsigned(LiftDraft& draft);
bool liftOnnxBits(LiftDraft& draft);
bool liftOnnxBoxes(LiftDraft& draft);
bool liftOnnxLoss(LiftDraft& draft);
bool liftOnnxSequence(LiftDraft& draft);
bool liftOnnxSpectrum(LiftDraft& draft);
bool liftOnnxFeatures(LiftDraft& draft);
bool liftOnnxTrees(LiftDraft& draft);
bool liftOnnxVectors(LiftDraft& draft);
bool liftOnnxVolume(LiftDraft& draft);
bool liftOnnxCodes(LiftDraft& draft);
bool liftOnnxCodedLayer(LiftDraft& draft);
bool liftOnnxActivation(LiftDraft& draft);
bool liftTfliteControl(LiftDraft& draft);
bool liftOnnxControl(LiftDraft& draft);
bool liftTfliteCodes(LiftDraft& draft);
bool liftTfliteRecurrent(LiftDraft& draft);
bool liftTfliteVariable(LiftDraft& draft);
bool liftOnnxRecurrent(LiftDraft& draft);

// Returns the attributes of an op that computes in float: its type "T".
const LiftDraft::Attrs& floats();

// Computes GELU by the error function, or by the hyperbolic tangent that approximates it.
std::string geluOf(LiftDraft& draft, const std::string& x, bool isApproximate);

// Puts zeros between the elements of a filter [h, w, in, multiplier] of these sizes, which replaces
// the dilation: TensorFlow's depthwise kernels have none. Returns an empty text if the filter would
// be too large.
std::string spreadFilter(LiftDraft& draft, const std::string& filter, const LiftDraft::Ints& dims,
                         const LiftDraft::Ints& dilation);

// Returns the numbers of codes of 8 bits, by one node that keeps both. Several scales belong to the
// slices of the axis, or of that axis and the next one together if there are more.
std::string dequantized(LiftDraft& draft, const std::string& codes, DType dtype,
                        const StoredScales& scales);

// Turn [n, c, h, w] into [n, h, w, c], and back.
std::string channelsLast(LiftDraft& draft, const std::string& tensor, DType dtype);
std::string channelsSecond(LiftDraft& draft, const std::string& tensor, DType dtype);
std::string transposed(LiftDraft& draft, const std::string& tensor, DType dtype,
                       const LiftDraft::Ints& order);
std::string reshaped(LiftDraft& draft, const std::string& tensor, DType dtype,
                     const LiftDraft::Ints& dims);

} // namespace lapidary
