// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"

#include "graph_model/ops/backward_work.h"
#include "graph_model/ops/op_trait_rows.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapidary {

using namespace op_traits;

namespace {

// Most names have no row: a slot by length and outer letters shows this without a search.
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

bool takesPart(std::string_view op)
{
    return has(op, TakesPart);
}

bool deliversWeight(std::string_view op)
{
    return has(op, Copies | Converts | VariableRead) || isEnter(op);
}

bool isConstant(std::string_view op)
{
    return has(op, Constant);
}

bool holdsValue(std::string_view op)
{
    return has(op, HoldsValue);
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

bool fillsTableFromGraph(std::string_view op)
{
    return op.starts_with("LookupTableImport") ||
           (op.starts_with("InitializeTable") && !op.starts_with("InitializeTableFrom"));
}

bool isTable(std::string_view op)
{
    return op.find("HashTable") != std::string_view::npos;
}

bool isMutableTable(std::string_view op)
{
    return op.starts_with("Mutable") && isTable(op);
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

bool readsPictureFile(std::string_view op)
{
    return has(op, ReadsPicture);
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

bool isAddition(std::string_view op)
{
    return has(op, Adds);
}

bool isSelect(std::string_view op)
{
    return has(op, Chooses);
}

bool writesArray(std::string_view op)
{
    return op.starts_with("TensorArrayWrite");
}

bool gathersArray(std::string_view op)
{
    return op.starts_with("TensorArrayGather") || op.starts_with("TensorArrayConcat");
}

bool needsChannelsLast(std::string_view op)
{
    return has(op, ChannelsLast);
}

bool hasUnreadOutputShapes(std::string_view op)
{
    return has(op, UnreadShapes);
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
