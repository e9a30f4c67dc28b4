// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"

#include "graph_model/ops/backward_work.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapidary {
namespace {

// The low bits hold one ControlFlow, CallKind and WorkKind each, the others a flag each.
using Bits = std::uint64_t;
constexpr int callShift = 3;
constexpr int workShift = 5;
constexpr Bits controlMask = 7;
constexpr Bits callMask = 3;
constexpr Bits workMask = 3;

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
    OfSize = 1ULL << 39, // between them: BackwardWork
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

constexpr int backwardShift = 36;
constexpr Bits backwardMask = 7;

constexpr Bits of(BackwardWork kind)
{
    return Bits(kind) << backwardShift;
}

struct Row {
    std::string_view op;
    Bits bits;
};

// Sorted by name.
constexpr Row rows[] = {
    {"Add", SizeMath | After | Pairwise | FactorsOn},
    {"AddN", After},
    {"AddV2", SizeMath | After | Pairwise | FactorsOn},
    {"Arg", Argument},
    {"ArgMax", Concludes},
    {"Assign", Assigns},
    {"AssignVariableOp", Assigns},
    {"AutoReloadVariable", Variable},
    {"AvgPool", ChannelsLast},
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
    {"Const", Constant},
    {"Constant", Constant}, // of ONNX
    {"Conv2D", of(WorkKind::Convolution) | ChannelsLast},
    {"Conv2DBackpropFilter", of(BackwardWork::Filter)},
    {"Conv2DBackpropInput", of(BackwardWork::Data)},
    {"Conv3DBackpropFilter", of(BackwardWork::Filter)},
    {"Conv3DBackpropFilterV2", of(BackwardWork::Filter)},
    {"Conv3DBackpropInput", of(BackwardWork::Data)},
    {"Conv3DBackpropInputV2", of(BackwardWork::Data)},
    {"DebugIdentity", PassesOn},
    {"DebugIdentityV2", PassesOn},
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
    {"FakeQuantWithMinMaxVars", RangeAt1},
    {"Fill", OfSize | AnyHalf},
    {"FloorDiv", SizeMath | AnyHalf | Pairwise},
    {"FloorMod", SizeMath | AnyHalf | Pairwise},
    {"Gather", SizeMath | AnyHalf},
    {"GatherV2", SizeMath | AnyHalf},
    {"Greater", Pairwise},
    {"GreaterEqual", Pairwise},
    {"GuaranteeConst", PassesOn},
    {"HostConst", Constant},
    {"Identity", Copies | PassesOn | SizeMath | FactorsOn},
    {"IdentityN", PassesEach},
    {"If", of(CallKind::Branch)},
    {"ImmutableConst", Constant},
    {"InfeedDequeue", Pipeline},
    {"InfeedDequeueTuple", Pipeline},
    {"InvertPermutation", AnyHalf},
    {"IsVariableInitialized", Saves},
    {"IteratorGetNext", Pipeline},
    {"IteratorGetNextAsOptional", Pipeline},
    {"IteratorGetNextSync", Pipeline},
    {"LeakyRelu", Activation | After},
    {"Less", Pairwise},
    {"LessEqual", Pairwise},
    {"LogSoftmax", Concludes | After},
    {"LoopCond", of(ControlFlow::LoopCond)},
    {"MatMul", of(WorkKind::Product)},
    {"MaxPool", ChannelsLast},
    {"Maximum", SizeMath | After | AnyHalf | Pairwise},
    {"Mean", AnyHalf},
    {"Merge", of(ControlFlow::Merge)},
    {"MergeV2Checkpoints", Saves},
    {"Minimum", SizeMath | After | Pairwise},
    {"Mul", SizeMath | After | AnyHalf | Pairwise},
    {"Neg", AnyHalf},
    {"NextIteration", of(ControlFlow::NextIteration)},
    {"OnesLike", AnyHalf},
    {"Pack", SizeMath | Before | AnyHalf},
    {"PartitionedCall", of(CallKind::Call)},
    {"Placeholder", Placeholder},
    {"PlaceholderV2", Placeholder},
    {"PlaceholderWithDefault", Placeholder},
    {"Pow", Pairwise},
    {"PreventGradient", Copies | PassesOn},
    {"Print", PassesOn},
    {"Prod", SizeMath | AnyHalf},
    {"QuantizeV2", RangeAt1},
    {"QuantizedConv2D", of(WorkKind::Convolution)},
    {"QuantizedMatMul", of(WorkKind::Product)},
    {"QuantizedSoftmax", Concludes},
    {"Range", SizeMath | AnyHalf},
    {"Rank", AsksForSize | AnyHalf},
    {"ReadVariableOp", VariableRead},
    {"ReaderRead", Pipeline},
    {"ReaderReadUpTo", Pipeline},
    {"ReaderReadUpToV2", Pipeline},
    {"ReaderReadV2", Pipeline},
    {"RealDiv", SizeMath | AnyHalf | Pairwise},
    {"RefEnter", of(ControlFlow::Enter)},
    {"RefExit", of(ControlFlow::Exit)},
    {"RefIdentity", PassesOn},
    {"RefMerge", of(ControlFlow::Merge)},
    {"RefNextIteration", of(ControlFlow::NextIteration)},
    {"RefSwitch", of(ControlFlow::Switch)},
    {"Relu", Activation | After},
    {"Relu1x", Activation | After},
    {"Relu6", Activation | After},
    {"RequantizationRange", After},
    {"Requantize", After | RangeAt3},
    {"Reshape", KeepsElements | SizeMath | Before | AnyHalf | FactorsOn},
    {"Selu", Activation | After},
    {"Shape", AsksForSize | AnyHalf},
    {"ShapeN", AsksForSize | AnyHalf},
    {"ShardedFilename", Saves},
    {"ShardedFilespec", Saves},
    {"Sigmoid", Activation | Concludes | After},
    {"Size", AsksForSize | AnyHalf},
    {"Slice", SizeMath | AnyHalf},
    {"Snapshot", Copies | PassesOn},
    {"Softmax", Concludes | After},
    {"Softplus", Activation | After},
    {"Softsign", Activation | After},
    {"Squeeze", KeepsElements | SizeMath | After | AnyHalf | FactorsOn},
    {"StatefulPartitionedCall", of(CallKind::Call)},
    {"StatelessCase", of(CallKind::Branch)},
    {"StatelessIf", of(CallKind::Branch)},
    {"StatelessWhile", of(CallKind::Loop)},
    {"StopGradient", Copies | PassesOn},
    {"StridedSlice", SizeMath | AnyHalf},
    {"Sub", SizeMath | AnyHalf | Pairwise},
    {"Sum", SizeMath | AnyHalf},
    {"Switch", of(ControlFlow::Switch)},
    {"TFLite_Detection_PostProcess", Concludes},
    {"Tanh", Activation | After},
    {"TemporaryVariable", Variable},
    {"TensorArrayV3", OfSize},
    {"TensorListReserve", OfSize},
    {"Tile", AnyHalf},
    {"Transpose", Before | AnyHalf},
    {"Unpack", SizeMath | Before},
    {"VARIABLE", Variable}, // of TFLite: a state that runs keep
    {"VarHandleOp", Variable | Stored | Handle},
    {"VarIsInitializedOp", Saves},
    {"Variable", Variable | Stored},
    {"VariableV2", Variable | Stored},
    {"While", of(CallKind::Loop)},
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

// Most names are in no row: a slot by length and outer letters says so without a search.
constexpr std::size_t slotCount = 1024;
constexpr std::uint8_t noRow = 255;
static_assert(std::size(rows) < noRow);

constexpr std::size_t slotOf(std::string_view op)
{
    if (op.size() < 2)
        return 0;
    const auto letter = [&](std::size_t i) {
        return std::size_t(static_cast<unsigned char>(op[i]));
    };
    return (op.size() * 37 + letter(0) * 11 + letter(op.size() - 1) * 5 + letter(op.size() / 2)) %
           slotCount;
}

constexpr auto makeSlots()
{
    std::array<std::uint8_t, slotCount> slots{};
    slots.fill(noRow);
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        std::size_t slot = slotOf(rows[i].op);
        while (slots[slot] != noRow)
            slot = (slot + 1) % slotCount;
        slots[slot] = std::uint8_t(i);
    }
    return slots;
}

constexpr std::array<std::uint8_t, slotCount> slots = makeSlots();

Bits bitsOf(std::string_view op)
{
    for (std::size_t slot = slotOf(op); slots[slot] != noRow; slot = (slot + 1) % slotCount)
        if (rows[slots[slot]].op == op)
            return rows[slots[slot]].bits;
    return 0;
}

bool has(std::string_view op, Bits flags)
{
    return (bitsOf(op) & flags) != 0;
}

} // namespace

ControlFlow controlFlow(std::string_view op)
{
    return ControlFlow(bitsOf(op) & controlMask);
}

CallKind callKind(std::string_view op)
{
    return CallKind(bitsOf(op) >> callShift & callMask);
}

BackwardWork backwardWork(std::string_view op)
{
    return BackwardWork(bitsOf(op) >> backwardShift & backwardMask);
}

WorkKind workKind(std::string_view op)
{
    return WorkKind(bitsOf(op) >> workShift & workMask);
}

bool copiesInput(std::string_view op)
{
    return has(op, Copies);
}

bool passesInputOn(std::string_view op)
{
    return has(op, PassesOn);
}

bool passesEachInputOn(std::string_view op)
{
    return has(op, PassesEach);
}

bool keepsElements(std::string_view op)
{
    return has(op, KeepsElements);
}

bool convertsElements(std::string_view op)
{
    return has(op, Converts);
}

bool deliversWeight(std::string_view op)
{
    return has(op, Copies | Converts | VariableRead) || isEnter(op);
}

bool isConstant(std::string_view op)
{
    return has(op, Constant);
}

bool isVariable(std::string_view op)
{
    return has(op, Variable);
}

bool isStoredVariable(std::string_view op)
{
    return has(op, Stored);
}

bool isVariableHandle(std::string_view op)
{
    return has(op, Handle);
}

bool isVariableRead(std::string_view op)
{
    return has(op, VariableRead);
}

bool isReferenceVariable(std::string_view op)
{
    return (bitsOf(op) & (Stored | Handle)) == Stored;
}

bool assignsVariable(std::string_view op)
{
    return has(op, Assigns);
}

bool changesVariable(std::string_view op)
{
    constexpr std::array<std::string_view, 4> others{"IsVariableInitialized", "StridedSliceAssign",
                                                     "ResourceStridedSliceAssign",
                                                     "VarIsInitializedOp"};
    constexpr std::array<std::string_view, 9> starts{
        "Assign",          "Apply",   "CountUpTo",   "ResourceApply",      "ResourceCountUpTo",
        "ResourceScatter", "Scatter", "SparseApply", "ResourceSparseApply"};
    if (op.starts_with("ScatterNd") && op != "ScatterNdAdd" && op != "ScatterNdSub" &&
        op != "ScatterNdUpdate")
        return false; // makes a tensor
    return std::ranges::find(others, op) != others.end() ||
           std::ranges::any_of(starts, [&](auto start) { return op.starts_with(start); });
}

bool passesResourceOn(std::string_view op)
{
    const ControlFlow kind = controlFlow(op);
    return copiesInput(op) || (kind != ControlFlow::None && kind != ControlFlow::LoopCond);
}

bool isPlaceholder(std::string_view op)
{
    return has(op, Placeholder);
}

bool isFunctionArgument(std::string_view op)
{
    return has(op, Argument);
}

bool isFunctionResult(std::string_view op)
{
    return has(op, FunctionResult);
}

bool isFedOp(std::string_view op)
{
    return op.starts_with("Placeholder") || isFunctionArgument(op);
}

bool isPipelineOp(std::string_view op)
{
    return has(op, Pipeline) || op.starts_with("QueueDequeue") || op.starts_with("_Recv");
}

bool asksForSize(std::string_view op)
{
    return has(op, AsksForSize);
}

bool isActivation(std::string_view op)
{
    return has(op, Activation);
}

bool isSavingOp(std::string_view op)
{
    return has(op, Saves) || op.starts_with("Save") || op.starts_with("Restore");
}

bool isConcludingOp(std::string_view op)
{
    return has(op, Concludes) || op.starts_with("TopK") || op.starts_with("NonMaxSuppression");
}

bool isSizeMath(std::string_view op)
{
    return has(op, SizeMath);
}

bool isMadeOfSize(std::string_view op)
{
    return has(op, OfSize);
}

bool isShapeOrArithmetic(std::string_view op)
{
    return has(op, AnyHalf);
}

bool isPairwise(std::string_view op)
{
    return has(op, Pairwise);
}

bool needsChannelsLast(std::string_view op)
{
    return has(op, ChannelsLast);
}

std::optional<std::uint32_t> rangeInput(std::string_view op)
{
    const Bits bits = bitsOf(op);
    if ((bits & RangeAt1) != 0)
        return 1;
    return (bits & RangeAt3) != 0 ? std::optional<std::uint32_t>(3) : std::nullopt;
}

bool passesFactorsOn(std::string_view op)
{
    return has(op, FactorsOn);
}

LayerSide layerSide(std::string_view op)
{
    constexpr std::array<std::string_view, 11> after{
        "BiasAdd",   "FusedBatchNorm", "BatchNormWithGlobal", "BatchToSpace", "QuantizedRelu",
        "Requantiz", "QuantizedBias",  "QuantizedBatchNorm",  "QuantizedAdd", "QuantizedMul",
        "FakeQuant"};
    constexpr std::array<std::string_view, 6> before{
        "Pad", "MirrorPad", "Concat", "SpaceToBatch", "Quantize", "QuantizedConcat"};
    const auto isStart = [op](std::string_view start) { return op.starts_with(start); };
    if (has(op, After) || std::ranges::any_of(after, isStart))
        return LayerSide::After;
    const bool begins = std::ranges::any_of(before, isStart) && op.find("Relu") == op.npos;
    return has(op, Before) || begins ? LayerSide::Before : LayerSide::None;
}

} // namespace lapidary
