// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapidary {
namespace {

// The low bits hold one ControlFlow, CallKind and WorkKind each, the others a flag each.
using Bits = std::uint32_t;
constexpr int callShift = 3;
constexpr int workShift = 5;
constexpr Bits controlMask = 7;
constexpr Bits callMask = 3;
constexpr Bits workMask = 3;

enum Flag : Bits {
    Copies = 1U << 8,
    PassesOn = 1U << 9,
    PassesEach = 1U << 10,
    KeepsElements = 1U << 11,
    Converts = 1U << 12,
    Constant = 1U << 13,
    Variable = 1U << 14,
    Stored = 1U << 15,
    Handle = 1U << 16,
    VariableRead = 1U << 17,
    Placeholder = 1U << 18,
    Argument = 1U << 19,
    FunctionResult = 1U << 20,
    AsksForSize = 1U << 21,
    Activation = 1U << 22,
    Pipeline = 1U << 23,
    Assigns = 1U << 24,
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

struct Row {
    std::string_view op;
    Bits bits;
};

// Sorted by name.
constexpr Row rows[] = {
    {"Arg", Argument},
    {"Assign", Assigns},
    {"AssignVariableOp", Assigns},
    {"AutoReloadVariable", Variable},
    {"Case", of(CallKind::Branch)},
    {"Cast", Converts},
    {"CheckNumerics", PassesOn},
    {"Const", Constant},
    {"Conv2D", of(WorkKind::Convolution)},
    {"DebugIdentity", PassesOn},
    {"DebugIdentityV2", PassesOn},
    {"DepthwiseConv2dNative", of(WorkKind::DepthwiseConvolution)},
    {"Dequantize", Converts},
    {"Elu", Activation},
    {"EnsureShape", PassesOn},
    {"Enter", of(ControlFlow::Enter)},
    {"Exit", of(ControlFlow::Exit)},
    {"ExpandDims", KeepsElements},
    {"GuaranteeConst", PassesOn},
    {"HostConst", Constant},
    {"Identity", Copies | PassesOn},
    {"IdentityN", PassesEach},
    {"If", of(CallKind::Branch)},
    {"ImmutableConst", Constant},
    {"InfeedDequeue", Pipeline},
    {"InfeedDequeueTuple", Pipeline},
    {"IteratorGetNext", Pipeline},
    {"IteratorGetNextAsOptional", Pipeline},
    {"IteratorGetNextSync", Pipeline},
    {"LeakyRelu", Activation},
    {"LoopCond", of(ControlFlow::LoopCond)},
    {"MatMul", of(WorkKind::Product)},
    {"Merge", of(ControlFlow::Merge)},
    {"NextIteration", of(ControlFlow::NextIteration)},
    {"PartitionedCall", of(CallKind::Call)},
    {"Placeholder", Placeholder},
    {"PlaceholderV2", Placeholder},
    {"PlaceholderWithDefault", Placeholder},
    {"PreventGradient", Copies | PassesOn},
    {"Print", PassesOn},
    {"QuantizedConv2D", of(WorkKind::Convolution)},
    {"QuantizedMatMul", of(WorkKind::Product)},
    {"Rank", AsksForSize},
    {"ReadVariableOp", VariableRead},
    {"ReaderRead", Pipeline},
    {"ReaderReadUpTo", Pipeline},
    {"ReaderReadUpToV2", Pipeline},
    {"ReaderReadV2", Pipeline},
    {"RefEnter", of(ControlFlow::Enter)},
    {"RefExit", of(ControlFlow::Exit)},
    {"RefIdentity", PassesOn},
    {"RefMerge", of(ControlFlow::Merge)},
    {"RefNextIteration", of(ControlFlow::NextIteration)},
    {"RefSwitch", of(ControlFlow::Switch)},
    {"Relu", Activation},
    {"Relu1x", Activation},
    {"Relu6", Activation},
    {"Reshape", KeepsElements},
    {"Selu", Activation},
    {"Shape", AsksForSize},
    {"ShapeN", AsksForSize},
    {"Sigmoid", Activation},
    {"Size", AsksForSize},
    {"Snapshot", Copies | PassesOn},
    {"Softplus", Activation},
    {"Softsign", Activation},
    {"Squeeze", KeepsElements},
    {"StatefulPartitionedCall", of(CallKind::Call)},
    {"StatelessCase", of(CallKind::Branch)},
    {"StatelessIf", of(CallKind::Branch)},
    {"StatelessWhile", of(CallKind::Loop)},
    {"StopGradient", Copies | PassesOn},
    {"Switch", of(ControlFlow::Switch)},
    {"Tanh", Activation},
    {"TemporaryVariable", Variable},
    {"VarHandleOp", Variable | Stored | Handle},
    {"Variable", Variable | Stored},
    {"VariableV2", Variable | Stored},
    {"While", of(CallKind::Loop)},
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
constexpr std::size_t slotCount = 512;
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

} // namespace lapidary
