// SPDX-License-Identifier: Apache-2.0
// The rows of the table of ops, only for op_traits.cpp: others use the functions of op_traits.h.
#pragma once

#include "graph_model/ops/backward_work.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace lapidary::op_traits {

// The low bits hold a ControlFlow, a CallKind and a WorkKind; the others are flags.
using Bits = std::uint64_t;
inline constexpr int callShift = 3;
inline constexpr int workShift = 5;
inline constexpr Bits controlMask = 7;
inline constexpr Bits callMask = 3;
inline constexpr Bits workMask = 3;

enum Flag : Bits {
    Copies = 1ULL << 8,
    PassesOn = 1ULL << 9,
    PassesEach = 1ULL << 10,
    KeepsElements = 1ULL << 11,
    Converts = 1ULL << 12,
    Constant = 1ULL << 13,
    Variable = 1ULL << 14,
    Stored = 1ULL << 15,
    Handle = 1ULL << 16,
    VariableRead = 1ULL << 17,
    Placeholder = 1ULL << 18,
    Argument = 1ULL << 19,
    FunctionResult = 1ULL << 20,
    AsksForSize = 1ULL << 21,
    Activation = 1ULL << 22,
    Pipeline = 1ULL << 23,
    Assigns = 1ULL << 24,
    Saves = 1ULL << 25,
    Concludes = 1ULL << 26,
    SizeMath = 1ULL << 27,
    After = 1ULL << 28,
    Before = 1ULL << 29,
    AnyHalf = 1ULL << 30,
    Pairwise = 1ULL << 31,
    ChannelsLast = 1ULL << 32,
    FactorsOn = 1ULL << 33,
    RangeAt1 = 1ULL << 34,
    RangeAt3 = 1ULL << 35,
    OfSize = 1ULL << 39, // bits 36 to 38 hold a BackwardWork
    UnreadShapes = 1ULL << 40,
    ReadsPicture = 1ULL << 41,
    TakesPart = 1ULL << 42,
    Adds = 1ULL << 43,
    Chooses = 1ULL << 44,
    HoldsValue = 1ULL << 45,
};

constexpr Bits of(ControlFlow kind)
{
    return Bits(kind);
}

constexpr Bits of(CallKind kind)
{
    return Bits(kind) << callShift;
}

constexpr Bits of(WorkKind kind)
{
    return Bits(kind) << workShift;
}

inline constexpr int backwardShift = 36;
inline constexpr Bits backwardMask = 7;

constexpr Bits of(BackwardWork kind)
{
    return Bits(kind) << backwardShift;
}

struct Row {
    std::string_view op;
    Bits bits;
};

// Sorted by name.
inline constexpr Row rows[] = {
    {"Add", SizeMath | After | Pairwise | FactorsOn | Adds},
    {"AddN", After},
    {"AddV2", SizeMath | After | Pairwise | FactorsOn | Adds},
    {"Arg", Argument},
    {"ArgMax", Concludes},
    {"Assign", Assigns},
    {"AssignVariableOp", Assigns},
    {"AutoReloadVariable", Variable},
    {"AvgPool", ChannelsLast},
    {"Barrier", UnreadShapes},
    {"BarrierIncompleteSize", UnreadShapes},
    {"BarrierReadySize", UnreadShapes},
    {"BiasAdd", FactorsOn},
    {"BiasAddV1", After},
    {"CTCBeamSearchDecoder", Concludes},
    {"CTCGreedyDecoder", Concludes},
    {"Case", of(CallKind::Branch)},
    {"Cast", Converts | SizeMath | Before | AnyHalf},
    {"CheckNumerics", PassesOn},
    {"CombinedNonMaxSuppression", Concludes},
    {"Concat", SizeMath | FactorsOn},
    {"ConcatV2", SizeMath | AnyHalf | FactorsOn},
    {"ConditionalAccumulator", UnreadShapes},
    {"Const", Constant | HoldsValue},
    {"Constant", Constant}, // ONNX
    {"Conv2D", of(WorkKind::Convolution) | ChannelsLast},
    {"Conv2DBackpropFilter", of(BackwardWork::Filter)},
    {"Conv2DBackpropInput", of(BackwardWork::Data)},
    {"Conv3DBackpropFilter", of(BackwardWork::Filter)},
    {"Conv3DBackpropFilterV2", of(BackwardWork::Filter)},
    {"Conv3DBackpropInput", of(BackwardWork::Data)},
    {"Conv3DBackpropInputV2", of(BackwardWork::Data)},
    {"DebugIdentity", PassesOn},
    {"DebugIdentityV2", PassesOn},
    {"DecodeAndCropJpeg", ReadsPicture},
    {"DecodeGif", ReadsPicture},
    {"DecodeImage", ReadsPicture},
    {"DecodeJpeg", ReadsPicture},
    {"DecodePng", ReadsPicture},
    {"DepthwiseConv2dNative", of(WorkKind::DepthwiseConvolution) | ChannelsLast},
    {"DepthwiseConv2dNativeBackpropFilter", of(BackwardWork::DepthwiseFilter)},
    {"DepthwiseConv2dNativeBackpropInput", of(BackwardWork::DepthwiseData)},
    {"Dequantize", Converts | After},
    {"Div", Pairwise},
    {"Elu", Activation | After},
    {"EmptyTensorList", OfSize},
    {"EnsureShape", PassesOn},
    {"Enter", of(ControlFlow::Enter)},
    {"Equal", Pairwise},
    {"Exit", of(ControlFlow::Exit)},
    {"ExpandDims", KeepsElements | SizeMath | Before | AnyHalf},
    {"ExperimentalFunctionBufferingResourceGetNext", Pipeline},
    {"ExtractJpegShape", ReadsPicture},
    {"FIFOQueue", UnreadShapes},
    {"FakeQuantWithMinMaxVars", RangeAt1},
    {"Fill", OfSize | AnyHalf},
    {"FixedLengthRecordReader", UnreadShapes},
    {"FloorDiv", SizeMath | AnyHalf | Pairwise},
    {"FloorMod", SizeMath | AnyHalf | Pairwise},
    {"FunctionBufferingResourceGetNext", Pipeline},
    {"Gather", SizeMath | AnyHalf | TakesPart},
    {"GatherNd", TakesPart},
    {"GatherV2", SizeMath | AnyHalf | TakesPart},
    {"Greater", Pairwise},
    {"GreaterEqual", Pairwise},
    {"GuaranteeConst", PassesOn},
    {"HashTable", UnreadShapes},
    {"HostConst", Constant | HoldsValue},
    {"Identity", Copies | PassesOn | SizeMath | FactorsOn},
    {"IdentityN", PassesEach},
    {"IdentityReader", UnreadShapes},
    {"If", of(CallKind::Branch)},
    {"ImmutableConst", Constant},
    {"InfeedDequeue", Pipeline},
    {"InfeedDequeueTuple", Pipeline},
    {"InvertPermutation", AnyHalf},
    {"IsVariableInitialized", Saves},
    {"IteratorGetNext", Pipeline},
    {"IteratorGetNextAsOptional", Pipeline},
    {"IteratorGetNextSync", Pipeline},
    {"LMDBReader", UnreadShapes},
    {"LeakyRelu", Activation | After},
    {"Less", Pairwise},
    {"LessEqual", Pairwise},
    {"LogSoftmax", Concludes | After},
    {"LoopCond", of(ControlFlow::LoopCond)},
    {"MapUnstage", Pipeline},
    {"MapUnstageNoKey", Pipeline},
    {"MatMul", of(WorkKind::Product)},
    {"MaxPool", ChannelsLast},
    {"Maximum", SizeMath | After | AnyHalf | Pairwise},
    {"Mean", AnyHalf},
    {"Merge", of(ControlFlow::Merge)},
    {"MergeV2Checkpoints", Saves},
    {"Minimum", SizeMath | After | Pairwise},
    {"Mul", SizeMath | After | AnyHalf | Pairwise},
    {"MultiDeviceIteratorGetNextFromShard", Pipeline},
    {"MutableHashTable", UnreadShapes},
    {"MutableHashTableOfTensors", UnreadShapes},
    {"Neg", AnyHalf},
    {"NextIteration", of(ControlFlow::NextIteration)},
    {"OnesLike", AnyHalf},
    {"OrderedMapUnstage", Pipeline},
    {"OrderedMapUnstageNoKey", Pipeline},
    {"Pack", SizeMath | Before | AnyHalf},
    {"PaddingFIFOQueue", UnreadShapes},
    {"PartitionedCall", of(CallKind::Call)},
    {"Placeholder", Placeholder},
    {"PlaceholderV2", Placeholder},
    {"PlaceholderWithDefault", Placeholder},
    {"Pow", Pairwise},
    {"PreventGradient", Copies | PassesOn},
    {"Print", PassesOn},
    {"PriorityQueue", UnreadShapes},
    {"Prod", SizeMath | AnyHalf},
    {"QuantizeV2", RangeAt1},
    {"QuantizedConv2D", of(WorkKind::Convolution)},
    {"QuantizedMatMul", of(WorkKind::Product)},
    {"QuantizedSoftmax", Concludes},
    {"QueueSize", UnreadShapes},
    {"RandomShuffleQueue", UnreadShapes},
    {"Range", SizeMath | AnyHalf},
    {"Rank", AsksForSize | AnyHalf},
    {"ReadVariableOp", VariableRead},
    {"ReaderRead", Pipeline},
    {"ReaderReadUpTo", Pipeline},
    {"ReaderReadUpToV2", Pipeline},
    {"ReaderReadV2", Pipeline},
    {"RealDiv", SizeMath | AnyHalf | Pairwise},
    {"RefEnter", of(ControlFlow::Enter) | UnreadShapes},
    {"RefExit", of(ControlFlow::Exit)},
    {"RefIdentity", PassesOn | UnreadShapes},
    {"RefMerge", of(ControlFlow::Merge) | UnreadShapes},
    {"RefNextIteration", of(ControlFlow::NextIteration) | UnreadShapes},
    {"RefSwitch", of(ControlFlow::Switch) | UnreadShapes},
    {"Relu", Activation | After},
    {"Relu1x", Activation | After},
    {"Relu6", Activation | After},
    {"RequantizationRange", After},
    {"Requantize", After | RangeAt3},
    {"Reshape", KeepsElements | SizeMath | Before | AnyHalf | FactorsOn},
    {"Select", Chooses},
    {"SelectV2", Chooses},
    {"Selu", Activation | After},
    {"Shape", AsksForSize | AnyHalf},
    {"ShapeN", AsksForSize | AnyHalf},
    {"ShardedFilename", Saves},
    {"ShardedFilespec", Saves},
    {"Sigmoid", Activation | Concludes | After},
    {"Size", AsksForSize | AnyHalf},
    {"Slice", SizeMath | AnyHalf | TakesPart},
    {"Snapshot", Copies | PassesOn},
    {"Softmax", Concludes | After},
    {"Softplus", Activation | After},
    {"Softsign", Activation | After},
    {"SparseConditionalAccumulator", UnreadShapes},
    {"Squeeze", KeepsElements | SizeMath | After | AnyHalf | FactorsOn},
    {"Stack", UnreadShapes},
    {"StatefulPartitionedCall", of(CallKind::Call)},
    {"StatelessCase", of(CallKind::Branch)},
    {"StatelessIf", of(CallKind::Branch)},
    {"StatelessWhile", of(CallKind::Loop)},
    {"StopGradient", Copies | PassesOn},
    {"StridedSlice", SizeMath | AnyHalf | TakesPart},
    {"Sub", SizeMath | AnyHalf | Pairwise},
    {"Sum", SizeMath | AnyHalf},
    {"Switch", of(ControlFlow::Switch)},
    {"TFLite_Detection_PostProcess", Concludes},
    {"TFRecordReader", UnreadShapes},
    {"Tanh", Activation | After},
    {"TemporaryVariable", Variable},
    {"TensorArrayV3", OfSize},
    {"TensorListReserve", OfSize},
    {"TextLineReader", UnreadShapes},
    {"Tile", AnyHalf},
    {"Transpose", Before | AnyHalf},
    {"Unpack", SizeMath | Before},
    {"Unstage", Pipeline},
    {"VARIABLE", Variable}, // TFLite: a state that runs keep
    {"VarHandleOp", Variable | Stored | Handle},
    {"VarIsInitializedOp", Saves},
    {"Variable", Variable | Stored},
    {"VariableV2", Variable | Stored},
    {"While", of(CallKind::Loop)},
    {"WholeFileReader", UnreadShapes},
    {"ZerosLike", AnyHalf},
    {"_Arg", Argument},
    {"_DeviceArg", Argument},
    {"_DeviceRetval", FunctionResult},
    {"_Retval", FunctionResult},
    {"_SwitchN", of(ControlFlow::Switch)},
    {"_VarHandlesOp", Variable | Handle},
    {"_XlaMerge", of(ControlFlow::Merge)},
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::op));

} // namespace lapidary::op_traits
