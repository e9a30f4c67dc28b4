// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <span>
#include <string_view>

namespace lapidary {

// An operator whose inputs and outputs are those of an op of TensorFlow.
struct LiftRow {
    std::string_view op;
    std::string_view tensorFlow;
    std::string_view types = {}; // "T:0 Tidx:1": attributes that are the type of an input
    std::string_view attrs = {}; // "axis num_split=num_splits": attributes that it has too
};

// The op of a row as a step; its name.
std::string liftByRow(LiftDraft& draft, const LiftRow& row);
const LiftRow* findRow(std::span<const LiftRow> rows, std::string_view op);

// Lift the operator that the draft has begun; false where it has no counterpart.
bool liftTflite(LiftDraft& draft);
bool liftOnnx(LiftDraft& draft);
// The groups of the files.
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
bool liftOnnxActivation(LiftDraft& draft);
bool liftTfliteControl(LiftDraft& draft);
bool liftOnnxControl(LiftDraft& draft);
bool liftTfliteCodes(LiftDraft& draft);
bool liftTfliteRecurrent(LiftDraft& draft);
bool liftTfliteVariable(LiftDraft& draft);
bool liftOnnxRecurrent(LiftDraft& draft);

// The attributes of an op that computes in float: its type "T".
const LiftDraft::Attrs& floats();

// By the error function, or by a hyperbolic tangent near to it.
std::string geluOf(LiftDraft& draft, const std::string& x, bool isApproximate);

// A filter [h, w, in, multiplier] of these sizes with zeros between its elements, which does what
// the dilation would: TensorFlow's depthwise kernels take none. Empty where it would be too large.
std::string spreadFilter(LiftDraft& draft, const std::string& filter, const LiftDraft::Ints& dims,
                         const LiftDraft::Ints& dilation);

// [n, h, w, c] of [n, c, h, w], and back.
std::string channelsLast(LiftDraft& draft, const std::string& tensor, DType dtype);
std::string channelsSecond(LiftDraft& draft, const std::string& tensor, DType dtype);
std::string transposed(LiftDraft& draft, const std::string& tensor, DType dtype,
                       const LiftDraft::Ints& order);
std::string reshaped(LiftDraft& draft, const std::string& tensor, DType dtype,
                     const LiftDraft::Ints& dims);

} // namespace lapidary
