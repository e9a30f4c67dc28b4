// SPDX-License-Identifier: Apache-2.0
// The one table of op properties beyond signatures (op_registry.h). Look ops up here by name, and
// write no list of ops elsewhere. A list that has to differ is beside its user, with the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapidary {

// The kind of a node of TensorFlow 1's control flow. Ops on references (RefSwitch) have the same
// kinds.
enum class ControlFlow : std::uint8_t { None, Switch, Merge, Enter, Exit, NextIteration, LoopCond };

// The way an op calls functions of the library: one once, one of several, or one repeatedly.
enum class CallKind : std::uint8_t { None, Call, Branch, Loop };

// The way the work of an op is counted whose multiplications dominate a network.
enum class WorkKind : std::uint8_t { None, Convolution, DepthwiseConvolution, Product };

// The position of an op relative to the layer that it is wired to (a convolution, a product).
enum class LayerSide : std::int8_t { Before = -1, None = 0, After = 1 };

// All of these take the name of an op, registered or not, and cost one table look-up.
ControlFlow controlFlow(std::string_view op);
CallKind callKind(std::string_view op);
WorkKind workKind(std::string_view op);
// After: adds, activates, scales or dequantizes. Before: pads, joins or quantizes.
LayerSide layerSide(std::string_view op);

inline bool isSwitch(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Switch;
}

inline bool isMerge(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Merge;
}

inline bool isEnter(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Enter;
}

inline bool isExit(std::string_view op)
{
    return controlFlow(op) == ControlFlow::Exit;
}

inline bool isNextIteration(std::string_view op)
{
    return controlFlow(op) == ControlFlow::NextIteration;
}

inline bool isLoopCond(std::string_view op)
{
    return controlFlow(op) == ControlFlow::LoopCond;
}

// Whether the output is the input and nothing else happens in a run: Identity, StopGradient, ...
bool copiesInput(std::string_view op);
// Whether every output is the first input, bit for bit: copies, and ops that check, print or mark
// it (CheckNumerics, Print). Not control flow, which passes values between frames.
bool passesInputOn(std::string_view op);
// Whether each output is the input of the same number: IdentityN.
bool passesEachInputOn(std::string_view op);
// Either of the two, for code that follows a value to its origin.
inline bool isPassThrough(std::string_view op)
{
    return passesInputOn(op) || passesEachInputOn(op);
}
// Whether the output has the elements of the input in the same order in another shape: Reshape,
// Squeeze, ExpandDims.
bool keepsElements(std::string_view op);
// Whether the output has the elements of the input as another type: Cast, Dequantize.
bool convertsElements(std::string_view op);
// Whether the output is some elements of input 0, which other inputs choose: Slice, Gather, ...
bool takesPart(std::string_view op);
// Whether the op may be between a weight and its readers: copies, conversions, reads, the Enter of
// a loop.
bool deliversWeight(std::string_view op);

bool isConstant(std::string_view op);       // Const, HostConst, ImmutableConst
bool holdsValue(std::string_view op);       // its attribute `value` is the output: Const, HostConst
bool isVariable(std::string_view op);       // every op that makes a variable, of any lifetime
bool isStoredVariable(std::string_view op); // a single variable that checkpoints store
bool isVariableHandle(std::string_view op); // its output is a resource, not the value
bool isVariableRead(std::string_view op);   // ReadVariableOp: gives the value of a resource
// Whether it is a variable of a reference (Variable, VariableV2), the only ones that TensorFlow's
// older tools (summarize_graph, sparsify_gather) know.
bool isReferenceVariable(std::string_view op);

bool assignsVariable(std::string_view op); // Assign, AssignVariableOp: input 1 becomes the value
// Whether the op writes into the variable that is its first input, or asks whether it has a value:
// operations that a constant does not support. Decided by the start of the name.
bool changesVariable(std::string_view op);
// Whether the op passes the handle of a variable on: copies and control flow.
bool passesResourceOn(std::string_view op);

// Whether the op fills a table with keys and values of the graph, not of a file:
// LookupTableImportV2, InitializeTable. Decided by the start of the name.
bool fillsTableFromGraph(std::string_view op);
// Whether the op makes a table: HashTableV2, MutableHashTable, ... Decided by a part of the name.
bool isTable(std::string_view op);
// Whether it makes a table into which a run may insert at any time; the others are filled once.
bool isMutableTable(std::string_view op);

bool isPlaceholder(std::string_view op);      // Placeholder and its versions, with a default or not
bool isFunctionArgument(std::string_view op); // _Arg
bool isFunctionResult(std::string_view op);   // _Retval
// Whether the node is fed, by the start of its name ("PlaceholderQueue"), or is a function's
// argument.
bool isFedOp(std::string_view op);
// Whether the op brings in data from outside of the graph: iterators, readers, queues, receivers.
bool isPipelineOp(std::string_view op);
bool asksForSize(std::string_view op);  // Shape, ShapeN, Size, Rank: sizes, not content
bool isActivation(std::string_view op); // elementwise, after a layer: Relu, Tanh, ...

bool isSavingOp(std::string_view op);     // writes, reads or names checkpoints, or checks variables
bool isConcludingOp(std::string_view op); // typical last op of a network: Softmax, TopK
// Whether input 0 is a picture file, whose format is found by its content: DecodeJpeg, DecodePng,
// ...
bool readsPictureFile(std::string_view op);
// Whether the op takes numbers apart, joins them or computes with them, as is done to prepare sizes
// for another op.
bool isSizeMath(std::string_view op);
// Whether the op makes a tensor of one value, or an empty array, of a given size: Fill,
// TensorArrayV3.
bool isMadeOfSize(std::string_view op);
// Whether the op occurs in the forward half and in the gradients of a training graph alike.
bool isShapeOrArithmetic(std::string_view op);
bool isPairwise(std::string_view op); // two inputs, elementwise with broadcasting: Add, Less, ...
bool isAddition(std::string_view op); // the sum of two tensors: Add, AddV2
// Whether each element of the output is that of input 1 or of input 2, as input 0 says: Select,
// SelectV2.
bool isSelect(std::string_view op);
// Whether the op writes an element of a TensorArray: TensorArrayWriteV3. Decided by the start of
// the name.
bool writesArray(std::string_view op);
// Whether the op makes one tensor of several elements of a TensorArray: TensorArrayGatherV3,
// TensorArrayConcatV3. Decided by the start of the name.
bool gathersArray(std::string_view op);
// Whether the op can only be computed with channels last, here as in TensorFlow on a CPU.
bool needsChannelsLast(std::string_view op);
// Whether a factor of a channel of the input is a factor of that of the output: BiasAdd, Reshape,
// ...
bool passesFactorsOn(std::string_view op);
// Whether TensorFlow's import ignores _output_shapes of this op that contradict the inferred ones:
// older versions inferred other shapes.
bool hasUnreadOutputShapes(std::string_view op);
// Returns the number of the input that is the minimum of the range to which an op quantizes; the
// next input is the maximum. QuantizeV2, Requantize, FakeQuantWithMinMaxVars.
std::optional<std::uint32_t> rangeInput(std::string_view op);

} // namespace lapidary
